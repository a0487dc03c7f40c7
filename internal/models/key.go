package models

import (
	"strings"

	"ken/internal/fault"
	"ken/internal/llm/catalog"
)

// Key says that the environment has the key of a vendor, and the one line that has it used:
// a key alone sends nothing anywhere. seen is false where there is none, or where presets or
// the environment name a model already.
func (m *Set) Key() (says fault.Text, seen bool) {
	if cfg, err := m.Settings(); err != nil || len(cfg.Models) > 0 || m.Getenv("KEN_MODEL") != "" || m.Getenv("OPENAI_BASE_URL") != "" {
		return says, false
	}
	has := func(name string) bool { return strings.TrimSpace(m.Getenv(name)) != "" }
	for v := range catalog.Vendors() {
		if has(v.Key) {
			return toUse(v), true
		}
	}
	const azure = "AZURE_OPENAI_"
	if !has(azure+"API_KEY") || !has(azure+"ENDPOINT") {
		return says, false
	}
	v := catalog.Vendor{
		Key: azure + "API_KEY", Preset: "azure",
		BaseURL: strings.TrimRight(strings.TrimSpace(m.Getenv(azure+"ENDPOINT")), "/") + "/openai/v1",
	}
	for _, name := range []string{"DEPLOYMENT", "DEPLOYMENT_NAME"} {
		if v.Model = strings.TrimSpace(m.Getenv(azure + name)); v.Model != "" {
			return toUse(v), true
		}
	}
	return fault.Textf("%s is set; %s asks for the deployment", v.Key, fault.Command("config init")), true
}

// toUse is the line that has a vendor used.
func toUse(v catalog.Vendor) fault.Text {
	at := " models." + v.Preset + "."
	return fault.Textf("%s is set; to use it: %s", v.Key, fault.Command(
		"config set"+at+"base_url="+quoteWord(v.BaseURL)+at+"model="+quoteWord(v.Model)+at+"api_key_env="+v.Key))
}

package programs

import (
	"testing"
)

// TestAsksByVerb: clients of services that ask by a verb are safe with the options that
// such verbs have, and nothing beside that is.
func TestAsksByVerb(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Level{
		"scw instance server list zone=fr-par-1 -o json": Safe,
		"exo compute instance show web1":                 Safe,
		"linode-cli linodes list --json":                 Safe,
		"juju status --format=yaml":                      Safe,
		"scw instance server list -o ./servers.json":     Caution, // elsewhere a file
		"scw instance server list --endpoint x.example":  Caution,
		"scw iam api-key get k1":                         Caution,
		"scw secret version list":                        Caution,
		"upsun get p1":                                   Caution, // clones
		"scw object file get x":                          Caution,
		"doctl databases connection show d1":             Caution,
		"scw instance server list https://x.example":     Caution,
		"scw instance server delete list":                Danger,
		"scw instance server create name=list":           Caution,
		"bq query --dry_run SELECT":                      Safe,
		"wipefs /dev/sdb1":                               Safe,
		"wipefs -a /dev/sdb1":                            Danger,
		"wipefs --al /dev/sdb1":                          Danger,
		"wipefs -o 0x1fe /dev/sdb1":                      Danger,
		"visudo -c -f f":                                 Safe,
		"visudo -f f":                                    Danger,
		"visudo -cx f":                                   Danger,
		"nix-store -q --references /run/current-system":  Safe,
		"nix-store --delete x":                           Danger,
		"java -XshowSettings:vm -version":                Safe,
		"java -XshowSettings:vm -jar x.jar":              Caution,
		"ctags --list-languages":                         Safe,
		"ctags --list-languages --options=f":             Caution,
		"h5ls -r m.h5":                                   Safe,
		"postsuper -d ALL":                               Danger,
		"no-such-program prune all":                      Danger,
		"cloc --vcs=git src":                             Safe,
		"cloc --vcs=reboot src":                          Danger,
	} {
		res := Look(Call{Words: words(line), TrustedGit: true})
		got := Safe
		for _, e := range res.Effects {
			got = max(got, e.Level)
		}
		if got != want {
			t.Errorf("%q: %d, want %d: %+v", line, got, want, res.Effects)
		}
	}
}

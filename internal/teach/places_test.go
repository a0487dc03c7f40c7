package teach_test

import (
	"testing"

	"ken/internal/teach"
)

// TestNamedPlaces: where something holds is read from the words, in each language; a name
// that is part of what is said is no place.
func TestNamedPlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, scope string }{
		{"in this repo always use tabs", "here"},
		{"for the project tea: always use tabs", "repo:tea"},
		{"in project tea always use tabs", "repo:tea"},
		{"in the repo called tea we never use mocks", "repo:tea"},
		{"in the tea repo always use tabs", "repo:tea"},
		{"only in repo:me/tea always use tabs", "repo:me/tea"},
		{"remember for repo:example.org/me/tea that we use tabs", "repo:example.org/me/tea"},
		{"remember that in project nosuch we use tabs", "repo:nosuch"},
		{"remember for the project tea: we use tabs", "repo:tea"},
		{"remember in project \"tea\" that we use tabs", "repo:tea"},
		{"always use tabs in project tea", "repo:tea"},
		{"from now on use tabs in the tea repo please", "repo:tea"},
		{"in the folder ~/src/tea always use tabs", "dir:~/src/tea"},
		{"in dir:/srv/tea always use tabs", "dir:/srv/tea"},
		{"from now on use metric units in all my projects", "user"},
		{"in the project we never use mocks", "here"},
		{"in the project use tabs from now on", "here"},
		{"in the project always use tabs", "here"},
		{"in our new project always use tabs", ""},
		{"in go projects always use tabs", ""},
		{"remember that Anna works in project Falcon", ""},
		{"remember that the key is in the tea repo shop", ""},
		{"remember that \"in project tea\" is how he writes it", ""},
		{"in diesem Projekt immer Tabs benutzen", "here"},
		{"im Projekt tea immer Tabs benutzen", "repo:tea"},
		{"im Projekt tea verwenden wir ab jetzt Tabs", "repo:tea"},
		{"merk dir für das Projekt tea: wir nutzen Tabs", "repo:tea"},
		{"dans le projet tea, utilise toujours des tabulations", "repo:tea"},
		{"retiens pour le projet tea : on utilise des tabulations", "repo:tea"},
		{"dans ce projet utilise toujours des tabulations", "here"},
		{"en el proyecto tea usa siempre tabuladores", "repo:tea"},
		{"recuerda para el proyecto tea: usamos tabuladores", "repo:tea"},
		{"en el proyecto usamos siempre tabuladores", ""},
		{"no projeto tea usa sempre tabs", "repo:tea"},
		{"lembra-te para o projeto tea: usamos tabs", "repo:tea"},
		{"nel progetto tea usa sempre i tab", "repo:tea"},
		{"ricorda per il progetto tea: usiamo i tab", "repo:tea"},
		{"in het project tea altijd tabs gebruiken", "repo:tea"},
		{"onthoud voor het project tea: we gebruiken tabs", "repo:tea"},
		{"w projekcie tea zawsze używaj tabulatorów", "repo:tea"},
		{"zapamiętaj dla projektu tea: używamy tabulatorów", "repo:tea"},
		{"в проекте tea всегда используй табы", "repo:tea"},
		{"запомни для проекта tea: мы используем табы", "repo:tea"},
		{"tea projesinde her zaman sekme kullan", "repo:tea"},
		{"unutma: tea projesinde sekme kullanıyoruz", "repo:tea"},
		{"在tea项目里总是使用制表符", "repo:tea"},
		{"请记住,在 tea 项目中我们使用制表符", "repo:tea"},
		{"在这个项目里总是使用制表符", "here"},
		{"teaプロジェクトでは常にタブを使って", "repo:tea"},
		{"覚えておいて、teaリポジトリではタブを使う", "repo:tea"},
		{"tea 프로젝트에서는 항상 탭을 사용해", "repo:tea"},
		{"기억해 줘: tea 저장소에서는 탭을 써", "repo:tea"},
		{"tea project mein hamesha tabs use karo", "repo:tea"},
		{"yaad rakho ki tea project mein hum tabs use karte hain", "repo:tea"},
		{"unutma: biz tea projesinde sekme kullanıyoruz", "repo:tea"},
		{"覚えておいて、私たちはteaリポジトリではタブを使う", "repo:tea"},
		{"기억해 줘: 우리는 tea 저장소에서는 탭을 써", "repo:tea"},
		{"yaad rakho ki hum tea project mein tabs use karte hain", "repo:tea"},
	} {
		got := teach.Read(test.line)
		if test.scope != "" && got.Act != teach.Keep && got.Act != teach.Propose || got.Scope != test.scope {
			t.Errorf("Read(%q) = %v %q in %q (%s), want it kept in %q", test.line, got.Act, got.Text, got.Scope, got.Tongue, test.scope)
		}
	}
}

// TestForgetByKeyAndPlace: what is to be forgotten may be said by its key, or be all of a place.
func TestForgetByKeyAndPlace(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, key, scope string }{
		{"forget the key deploy.host", "deploy.host", ""},
		{"please forget what you keep under editor", "editor", ""},
		{"forget everything under the key \"editor\"", "editor", ""},
		{"delete the memory with the key editor.", "editor", ""},
		{"forget everything about project tea", "", "repo:tea"},
		{"forget all of repo example.org/me/tea", "", "repo:example.org/me/tea"},
		{"forget everything in repo:tea", "", "repo:tea"},
		{"forget everything about this project", "", "here"},
		{"forget everything about the tea repo", "", "repo:tea"},
		{"forget about project tea", "", "repo:tea"},
		{"forget the lift", "", ""},
		{"forget the key to the lift", "", ""},
		{"forget what I told you about the lift in project tea", "", ""},
		{"forget everything about the lift in this repo", "", ""},
		{"forget Anna", "", ""},
		{"vergiss den Schlüssel editor", "editor", ""},
		{"vergiss alles, was du unter dem Schlüssel editor hast", "editor", ""},
		{"vergiss alles über das Projekt tea", "", "repo:tea"},
		{"oublie la clé editor", "editor", ""},
		{"oublie ce que tu gardes sous la clé editor", "editor", ""},
		{"oublie tout sur le projet tea", "", "repo:tea"},
		{"olvida la clave editor", "editor", ""},
		{"olvida lo que guardas bajo la clave editor", "editor", ""},
		{"olvida todo sobre el proyecto tea", "", "repo:tea"},
		{"esquece a chave editor", "editor", ""},
		{"esquece o que guardas sob a chave editor", "editor", ""},
		{"esquece tudo sobre o projeto tea", "", "repo:tea"},
		{"dimentica la chiave editor", "editor", ""},
		{"dimentica quello che tieni sotto la chiave editor", "editor", ""},
		{"dimentica tutto sul progetto tea", "", "repo:tea"},
		{"vergeet de sleutel editor", "editor", ""},
		{"vergeet wat je onder de sleutel editor bewaart", "editor", ""},
		{"vergeet alles over het project tea", "", "repo:tea"},
		{"usuń z pamięci klucz editor", "editor", ""},
		{"zapomnij to, co masz pod kluczem editor", "editor", ""},
		{"zapomnij wszystko o projekcie tea", "", "repo:tea"},
		{"забудь ключ editor", "editor", ""},
		{"забудь всё, что хранишь под ключом editor", "editor", ""},
		{"забудь всё про проект tea", "", "repo:tea"},
		{"editor anahtarını unut", "editor", ""},
		{"editor anahtarı altındaki bilgileri sil", "editor", ""},
		{"tea projesi hakkında her şeyi unut", "", "repo:tea"},
		{"忘掉键 editor", "editor", ""},
		{"忘记你存在 editor 键下的内容", "editor", ""},
		{"忘掉关于tea项目的一切", "", "repo:tea"},
		{"キーeditorを忘れて", "editor", ""},
		{"editorというキーに保存したことを忘れて", "editor", ""},
		{"teaプロジェクトに関することを全部忘れて", "", "repo:tea"},
		{"editor 키를 잊어 줘", "editor", ""},
		{"editor 키에 저장한 거 지워 줘", "editor", ""},
		{"tea 프로젝트에 대한 모든 것을 잊어 줘", "", "repo:tea"},
		{"editor key bhool jao", "editor", ""},
		{"key editor ke neeche jo hai bhool jao", "editor", ""},
		{"tea project ke baare mein sab kuch bhool jao", "", "repo:tea"},
	} {
		got := teach.Read(test.line)
		if got.Act != teach.Forget || got.Key != test.key || got.Scope != test.scope {
			t.Errorf("Read(%q) = %v %q, key %q, of %q (%s), want key %q, of %q",
				test.line, got.Act, got.Text, got.Key, got.Scope, got.Tongue, test.key, test.scope)
		}
	}
}

package teach_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"ken/internal/teach"
)

// TestActs: how people ask, in each language, and what they ask for. The wording is of
// this test; make bench-teach measures other wording.
func TestActs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		act  teach.Act
		text string
	}{
		{"Please remember that the lift is out of order on Sundays.", teach.Keep, "the lift is out of order on Sundays"},
		{"would you mind keeping in mind that I hate popups?", teach.Keep, "I hate popups"},
		{"make a mental note that the key is under the mat", teach.Keep, "the key is under the mat"},
		{"going forward, keep the log lines short", teach.Keep, "keep the log lines short"},
		{"keep the log lines short from now on", teach.Keep, "keep the log lines short"},
		{"the lab is closed in august. Don't forget that.", teach.Keep, "the lab is closed in august"},
		{"next time you draw a chart label the axes", teach.Keep, "when you draw a chart label the axes"},
		{"we pin every image by digest", teach.Propose, "we pin every image by digest"},
		{"my brother Tim runs a bakery", teach.Propose, "my brother Tim runs a bakery"},
		{"no, the office is on floor 4 now", teach.Correct, "the office is on floor 4"},
		{"forget what I told you about the lift, it is repaired", teach.Correct, "it is repaired"},
		{"please forget everything about the lift", teach.Forget, "the lift"},
		{"delete the note about the mat", teach.Forget, "the mat"},
		{"forget everything about this project", teach.Forget, "this project"},
		{"forget this message", teach.None, ""},
		{"merk dir, dass der Aufzug sonntags steht", teach.Keep, "der Aufzug sonntags steht"},
		{"ab sofort bitte nur metrische Einheiten", teach.Keep, "nur metrische Einheiten"},
		{"vergiss bitte meine Telefonnummer", teach.Forget, "meine Telefonnummer"},
		{"souviens-toi que l'ascenseur est fermé le dimanche", teach.Keep, "l'ascenseur est fermé le dimanche"},
		{"désormais réponds en vouvoyant", teach.Keep, "réponds en vouvoyant"},
		{"anota que el ascensor no funciona los domingos", teach.Keep, "el ascensor no funciona los domingos"},
		{"a partir de hoy usa unidades métricas", teach.Keep, "usa unidades métricas"},
		{"lembre-se de que o elevador para aos domingos", teach.Keep, "o elevador para aos domingos"},
		{"ricordati che l'ascensore è fermo la domenica", teach.Keep, "l'ascensore è fermo la domenica"},
		{"noteer dat de lift zondag stilstaat", teach.Keep, "de lift zondag stilstaat"},
		{"zanotuj, że winda nie działa w niedziele", teach.Keep, "winda nie działa w niedziele"},
		{"запиши, что лифт не работает по воскресеньям", teach.Keep, "лифт не работает по воскресеньям"},
		{"aklında tut: asansör pazar günleri kapalı", teach.Keep, "asansör pazar günleri kapalı"},
		{"请记住电梯周日停运", teach.Keep, "电梯周日停运"},
		{"エレベーターは日曜に止まることを覚えておいて", teach.Keep, "エレベーターは日曜に止まる"},
		{"엘리베이터는 일요일에 멈춘다는 걸 기억해 줘", teach.Keep, "엘리베이터는 일요일에 멈춘다"},
		{"yaad rakho ki lift sunday ko band rehti hai", teach.Keep, "lift sunday ko band rehti hai"},
		{"remember: der Aufzug steht sonntags", teach.Keep, "der Aufzug steht sonntags"},
		{"remember that I take the stairs, ok?", teach.Keep, "I take the stairs"},
		{"엘리베이터 비밀번호는 이제 잊어 줘", teach.Forget, "엘리베이터 비밀번호"},
		{"이제 엘리베이터 안 타", teach.Correct, "엘리베이터 안 타"},
		{"usuń z pamięci mój numer piętra", teach.Forget, "mój numer piętra"},
		{"erase the dentist for good", teach.Forget, "the dentist"},
		{"can you delete my floor number once and for all", teach.Forget, "my floor number"},
		{"wipe the dentist from your memory for good", teach.Forget, "the dentist"},
		{"erase the dentist from memory", teach.Forget, "the dentist"},
		{"delete my floor number from your notes", teach.Forget, "my floor number"},
		{"forget the dentist for good", teach.Forget, "the dentist"},
		{"delete the note about the mat for good", teach.Forget, "the mat"},
		{"erase everything about the lift for good", teach.Forget, "the lift"},
		{"drop the old tickets for good", teach.None, ""},
		{"please remove the dist folder for good", teach.None, ""},
		{"once and for all, throw away the old tickets", teach.None, ""},
		{"delete the dist folder forever", teach.None, ""},
		{"delete everything for good", teach.None, ""},
		{"get rid of the old tickets for good", teach.None, ""},
		{"remove the dist folder from now on", teach.None, ""},
		{"from now on remove the dist folder before each build", teach.Keep, "remove the dist folder before each build"},
		{"remove the dist folder before each build from now on", teach.Keep, "remove the dist folder before each build"},
		{"remove trailing blanks from now on", teach.Keep, "remove trailing blanks"},
		{"remember that we dropped the tickets for good", teach.Keep, "we dropped the tickets for good"},
		{"drop the old tickets for good, and remember that the lift is closed", teach.Keep, "the lift is closed"},
		{"we decided to drop jenkins for good", teach.Propose, "we decided to drop jenkins for good"},
		{"lösche den Zahnarzt für immer", teach.None, ""},
		{"supprime le dentiste pour toujours", teach.None, ""},
		{"borra el dentista para siempre", teach.None, ""},
		{"apaga o dentista para sempre", teach.None, ""},
		{"cancella il dentista per sempre", teach.None, ""},
		{"verwijder de tandarts voor altijd", teach.None, ""},
		{"usuń dentystę na zawsze", teach.None, ""},
		{"удали стоматолога навсегда", teach.None, ""},
		{"치과 예약을 영원히 삭제해", teach.None, ""},
		{"remember jenkins?", teach.None, ""},
		{"remember the old lift?", teach.None, ""},
		{"hey, remember the old lift? nobody took it", teach.None, ""},
		{"remember the summer of the lift? those were the days", teach.None, ""},
		{"can you remember the old lift?", teach.None, ""},
		{"could you remember that I take the stairs?", teach.Keep, "I take the stairs"},
		{"kya tum yaad rakh sakte ho ki lift band hai?", teach.Keep, "lift band hai"},
		{"yaad rakho lift?", teach.None, ""},
		{"记得电梯吗？", teach.None, ""},
		{"one thing to remember, the lift is closed on Sundays", teach.Keep, "the lift is closed on Sundays"},
		{"something worth remembering, the lift is closed on Sundays", teach.Keep, "the lift is closed on Sundays"},
		{"another small thing to keep in mind, the lift is closed on Sundays", teach.Keep, "the lift is closed on Sundays"},
		{"one thing to remember, I guess, is that the lift is closed", teach.None, ""},
		{"one thing to remember, what is the floor?", teach.None, ""},
		{"remember that", teach.Hint, ""},
	} {
		got := teach.Read(test.line)
		if got.Act != test.act || got.Text != test.text {
			t.Errorf("Read(%q) = %v %q (%s), want %v %q", test.line, got.Act, got.Text, got.Tongue, test.act, test.text)
		}
	}
}

// TestNone: what is no wish keeps and proposes nothing.
func TestNone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "  ", "?", "!!!", "🙂🙂🙂", "ok", "never mind", "thanks!",
		"do you remember what we said about the lift?", "what did I tell you about the lift",
		"translate \"please remember that the lift is closed\" to French", "the sign says \"always take the stairs\"",
		"he said: remember that the lift is closed", "> remember that the lift is closed", "`remember that x is y`",
		"\"remember that the lift is closed\"", "“remember that the lift is closed”",
		"remember to buy milk", "remember when we took the lift", "remind me tomorrow to take the lift",
		"what if we used the stairs", "if I had a lift I would use it", "just this once answer in French",
		"maybe we should use the stairs", "we always take the stairs?", "our lift is in Porto?",
		"나는 왜 항상 계단으로 가지", "계단 사진 번역해 줘: 기억해", "우유 사는 거 잊지 마",
		"napisz skrypt, który zawsze zwraca 0",
		"git commit -m 'remember that'", "const remember = true;", "2026-11-02 10:00:00 INFO remember that the job ran",
		"the lift is down again today", "why do we always take the stairs?", "show me the stairs", "write a poem about never taking the lift",
		"remember that the lift\nis closed", "remember that the \x1b[31mlift", "remember that \xff\xfe", "erinnerst du dich an den Aufzug?",
		"tu te souviens de l'ascenseur ?", "¿te acuerdas del ascensor?", "lembras-te do elevador?", "ti ricordi l'ascensore?",
		"weet je nog van de lift?", "pamiętasz windę?", "помнишь про лифт?", "asansörü hatırlıyor musun?",
		"你记得电梯吗？", "エレベーターのこと覚えてる？", "엘리베이터 기억나?", "kya tumhe lift yaad hai?",
	} {
		if got := teach.Read(line); got.Act != teach.None && got.Act != teach.Hint {
			t.Errorf("Read(%q) = %v %q (%s), want none", line, got.Act, got.Text, got.Tongue)
		}
	}
}

// TestHabitsAreNoRules: what somebody says that they always or never do asks nothing of anybody, in any language; what
// they order is a rule.
func TestHabitsAreNoRules(t *testing.T) {
	t.Parallel()
	for line, kind := range map[string]string{
		"Io uso quasi sempre fish": "pref", "I almost always use fish": "pref", "ich benutze fast immer fish": "pref",
		"je utilise presque toujours fish": "pref", "uso casi siempre fish": "pref",
		"never use npm": "rule", "usa sempre pnpm": "rule", "benutze immer pnpm": "rule",
	} {
		if got := teach.Read(line); string(got.Kind) != kind {
			t.Errorf("Read(%q) = %v %s, want %s", line, got.Act, got.Kind, kind)
		}
	}
}

// TestKindAndScope: they are read from the words.
func TestKindAndScope(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, kind, scope string }{
		{"remember that the exporter crashes on empty rows", "gotcha", ""},
		{"from now on answer in short sentences", "pref", ""},
		{"never delete a branch without asking me", "rule", ""},
		{"our team convention: branches start with the ticket", "convention", ""},
		{"decision to keep: we stay with sqlite", "decision", ""},
		{"in this repo always use tabs", "rule", "here"},
		{"from now on use metric units in all my projects", "pref", "user"},
		{"remember that I live in Porto", "fact", ""},
	} {
		got := teach.Read(test.line)
		if got.Act != teach.Keep || string(got.Kind) != test.kind || got.Scope != test.scope {
			t.Errorf("Read(%q) = %v %s %q, want keep %s %q", test.line, got.Act, got.Kind, got.Scope, test.kind, test.scope)
		}
	}
}

// TestHostile: what was made to confuse is read as it is, or not at all, and takes no
// longer than a line may.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"rem\u200bember that the lift is closed", "\u202eremember that the lift is closed", "remember\u2060 that the lift is closed",
		"remember that the lift is \u202eclosed",
		"remember that " + strings.Repeat("the lift is closed ", 64<<10/19), strings.Repeat("remember that ", 10_000),
		strings.Repeat("🙂", 900), strings.Repeat("\"", 3000), strings.Repeat("(", 3000), strings.Repeat("no, ", 900), strings.Repeat("记住", 600),
		strings.Repeat("a ", 1900), strings.Repeat("?", 3000),
	} {
		if got := teach.Read(line); got.Act == teach.Keep && len(line) > teach.MaxLine || strings.ContainsAny(got.Text, "\u200b\u202e\u2060") {
			t.Errorf("Read(%.40q) = %v %.40q", line, got.Act, got.Text)
		}
	}
}

// TestHalfWishes: a wish that is not what it looks like, or cannot be read whole, is told what to
// type.
func TestHalfWishes(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"remember that " + strings.Repeat("the lift is closed ", 64<<10/19),
		"forget the lift" + strings.Repeat(" and the stairs", 1000),
		"rem\u200bember that the lift is closed", "bitte remember que el ascensor está cerrado", "please merk dir que me gusta el té",
		"por favor remember the lift is closed", "s'il te plaît merk dir dass der Aufzug steht",
	} {
		if got := teach.Read(line); got != (teach.Reading{Act: teach.Hint}) {
			t.Errorf("Read(%.60q) = %v %.60q", line, got.Act, got.Text)
		}
	}
}

// BenchmarkRead: a millisecond a line at most.
func BenchmarkRead(b *testing.B) {
	lines := []string{
		"what is the flag to follow links in rsync, and does it work across mounts?", "from now on answer in metric units",
		"можно ли запустить это без прав администратора", "まずは手順を確認してからデプロイしてください", "fix the typo in line 12 and run the tests",
	}
	for i := 0; b.Loop(); i++ {
		teach.Read(lines[i%len(lines)])
	}
}

func FuzzRead(f *testing.F) {
	for _, line := range []string{
		"remember that I live in Lisbon", "no, it's \"otter\" now", "X, remember that", "请记住，电梯停运了", "忘れて", "ab jetzt: kurz",
		"never \"do\" that again", "forget everything about (the) lift!", "don't forget: 'a' b", "yaad rakhna ki ñ", "l'ascenseur d'ici",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := teach.Read(line)
		if !utf8.ValidString(got.Text) || strings.ContainsAny(got.Text, "\n\r\x1b\x00") {
			t.Fatalf("Read(%q) = %q", line, got.Text)
		}
		if (got.Text == "") != (got.Act == teach.None || got.Act == teach.Hint) {
			t.Fatalf("Read(%q) = %v %q", line, got.Act, got.Text)
		}
		if again := teach.Read(line); again != got {
			t.Fatalf("Read(%q) = %v, then %v", line, got, again)
		}
		if other := teach.Read(line + "\nand more"); other.Act != teach.None {
			t.Fatalf("two lines: %v", other)
		}
	})
}

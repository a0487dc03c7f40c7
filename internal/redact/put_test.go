package redact

import "testing"

// A secret is masked where code, a list or a note puts it: in pieces of an address, behind a type, in brackets, in the rows
// of a dump, and though it has a word for an example in it. Where only such a form stands, nothing is.
func TestPut(t *testing.T) {
	t.Parallel()
	m, k := New([]byte("key")), newMaker(61)
	for _, c := range []struct{ shape, text string }{
		{"plainwords", "       01  WS-DB-PASSWORD   PIC X(12) VALUE '@@'."},
		{"plainwords", "       77 FTP-PWD PICTURE X(8) VALUE IS \"@@\"."},
		{"plainwords", "Dim strPass As String = \"@@\""},
		{"plainwords", "  v_pw VARCHAR2(20) := '@@';"},
		{"mixed3", "password <- \"@@\""},
		{"mixed3", "password←'@@'"},
		{"mixed3", "variable \"db_admin_pw\" {\n  type = string\n  default = \"@@\"\n}"},
		{"pair", "{\"id\":7,\"pwd\":\"@@\",\"roles\":[\"user\"]}"},
		{"pair", "-  password: \"@@\"\n+  password: ${DB_PASSWORD}"},
		{"three", "RESTIC_PASSWORD='@@' restic -r sftp:nas:/b snapshots"},
		{"three", "CREATE ROLE svc LOGIN PASSWORD '@@';"},
		{"capital", "enable secret 0 @@\n"},
		{"plain", "mount -t cifs //nas/x /mnt -o user=rike,pass=@@"},
		{"sign2", "s.login(\"news@foundry.test\", \"@@\")"},
		{"long35", "jwtKey = fromSecret \"@@\""},
		{"code4", "const kPin = '@@';"},
		{"code4", "USER_PIN = \"@@\""},
		{"title", "COPY public.users (id, name, password) FROM stdin;\n1\tshop\t@@\n2\tdesk\t\\N\n\\.\n"},
		{"escapes", "KEY = b\"@@\""},
		{"escapes", "secret_key = '@@'"},
		{"title", "url = \"https://\" + \"deploy\" + \":\" + \"@@\" + \"@\" + \"git.test/x.git\""},
		{"title", "dsn = \"postgresql://\" + \"app:\" + \"@@\" + \"@\" + DB_HOST"},
		{"capital", "String u = \"ftp://\" + user + \":@@@\" + host;"},
		{"capital2", "uri = f\"amqp://worker:{'@@'}@{host}:5672/\""},
		{"chain", "Tom: need the pw for staging\nIda: its still @@"},
		{"chain", "use @@ to get into the sandbox, user is qa"},
		{"chain", "the password is @@"},
		{"flips", "our maps key is @@"},
		{"flips", "the maps key for the website: @@"},
		{"capital2", "The meeting: ID 823 1123 9981, passcode @@."},
		{"plain", "Steps: 1. ssh pi@10.0.0.9 (pw @@) 2. sudo reboot"},
		{"turns", "Tresor im Büro: @@ (links anfangen)"},
		{"turns", "senha do cofre: @@"},
		{"code4", "Fahrradschloss @@, im Keller"},
		{"code5", "Handy entsperren: @@"},
		{"code4", "To unlock the phone swipe up and put in @@."},
		{"code4", "we changed the alarm: disarm is @@"},
		{"under2", "La clave del wifi del piso es @@"},
		{"digits16", "Sticker under the router: WPA2 @@"},
		{"plainwords", "# /etc/rsyncd.secrets\nbackup:@@"},
	} {
		checkGiven(t, m, k.given(c.shape), c.text)
	}
	for _, text := range []string{
		"       01  WS-PASSWORD       PIC X(12) VALUE SPACES.",
		"       77  KEY-LENGTH PIC 9(4) VALUE 1024.",
		"Dim strPass As String = \"\"",
		"v_pw VARCHAR2(20) := 'changeme';",
		"password <- readline(\"Password: \")",
		"password <- 'required'",
		"{\"password\":\"System.String\"}",
		"{\"password\":\"Validation.Required\"}",
		"password = 'must not be empty'",
		"password='the same as above'",
		"PASSWORD 'string'",
		"enable secret 0 $SECRET",
		"-o user=rike,pass=$PASS",
		"s.login(\"news@foundry.test\", password)",
		"const buttonPin = '13';",
		"ledPin: 1344",
		"COPY public.users (id, name, password) FROM stdin;\n1\tshop\t\\N\n\\.\n",
		"KEY = b\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"",
		"magic = b\"\\x89\\x50\\x4e\\x47\\x0d\\x0a\\x1a\\x0a\\x00\\x00\\x00\\x0d\"",
		"url = \"https://\" + user + \":\" + pass + \"@\" + host",
		"url = \"https://\" + \"deploy\" + \":\" + \"8080\" + \"/x\"",
		"String u = \"ftp://\" + user + \":%s@\" + host;",
		"f\"postgresql://{user}:{password}@{host}:{port}/{name}\"",
		"see https://docs.test/a, \"b:\", \"c\", \"@d\"",
		"we upgrade to Windows-Server-22 and Demo-2",
		"use Copper-Walrus-19 as the title of the book",
		"our maps key is missing in the legend",
		"the key is getUserAuthenticationTokenForService",
		"(pw reset)", "(passwort vergessen)", "(kennwort geändert)", "(pw required)",
		"Tresor geliefert: 17-04-92",
		"safe: 3-4-92",
		"the password column is user_name",
		"WPA2 with 128 bits", "WPA2 Enterprise 2004",
		"we put in 8046 hours of work",
		"the magic word is please",
	} {
		if out, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("masked: %q -> %q", text, out)
		}
	}
}

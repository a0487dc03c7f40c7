package naming

import (
	"strings"
	"sync"

	"ken/internal/redact/chars"
)

// maxArguments is how many arguments of a call are read.
const maxArguments = 6

// A call takes a password at a place among its arguments, without a name for it.
type call struct {
	name   string // in lower case, up to the bracket
	places string // the places, from '0'
	loose  bool   // others have calls of that name: the value must look like nothing else
}

// calls are those that ReadCall knows, by their names.
var calls = sync.OnceValue(func() map[string]call {
	all := map[string]call{}
	for _, c := range callTable() {
		all[c.name] = c
	}
	return all
})

func callTable() []call {
	return []call{
		{"getconnection(", "2", false},
		{"mysqli(", "2", false},
		{"mysqli_connect(", "2", false},
		{"mysqli_real_connect(", "3", false},
		{"mysql_connect(", "2", false},
		{"mysql_pconnect(", "2", false},
		{"mysql_real_connect(", "3", false},
		{" pdo(", "2", false},
		{"psycopg2.connect(", "2", true},
		{"mysql.connect(", "2", true},
		{"mysqldb.connect(", "2", false},
		{"oracle.connect(", "1", false},
		{"oracledb.connect(", "1", false},
		{"oci_connect(", "1", false},
		{"oci_pconnect(", "1", false},
		{"pyodbc.connect(", "2", true},
		{"ibm_db.connect(", "2", false},
		{"db2_connect(", "2", false},
		{"odbc_connect(", "2", false},
		{"pg8000.connect(", "12", true},
		{"dbi->connect(", "2", false},
		{"ldap_bind(", "2", false},
		{"simple_bind_s(", "1", false},
		{"simple_bind(", "1", false},
		{".login(", "1", true},
		{"->login(", "1", true},
		{"ftp_login(", "2", false},
		{"ssh2_auth_password(", "2", false},
		{"auth_password(", "1", false},
		{"imap_open(", "2", false},
		{"auth.basic(", "1", false},
		{"authbasic(", "1", false},
		{"auth_basic(", "1", false},
		{"auth=(", "1", false},
		{"basicauth(", "1", false},
		{"digestauth(", "1", false},
		{"ntlmauth(", "1", false},
		{"basic_auth(", "1", false},
		{"proxyauth(", "1", false},
		{"networkcredential(", "1", false},
		{"pscredential(", "1", false},
		{"plainauth(", "2", false},
		{"setbasicauth(", "1", false},
		{"withbasicauth(", "1", false},
		{"credentials.basic(", "1", false},
		{"passwordcredentials(", "1", false},
		{"plaincredentials(", "1", false},
		{"credentials(", "13", true},
		{"authenticationtoken(", "1", false},
		{"passwordauthentication(", "1", false},
		{"sequelize(", "2", false},
		{"userpassword(", "1", false},
		{"basiccredentials(", "1", false},
		{"authenticator(", "1", true},
		{"neo4j.auth(", "1", false},
		{"createcredential(", "2", false},
		{"basic.encode(", "1", false},
		{"ftp.open(", "2", false},
		{"redis.auth(", "01", false},
		{"client.auth(", "01", true},
		{".connect(", "23", true},
		{"createuser(", "1", true},
		{".authenticate(", "1", true},
		{"connection1.open(", "1", false},
		{"connection.open(", "1", true},
		{"conn.open(", "1", true},
	}
}

// CallStems are the names of calls that ReadCall reads from.
func CallStems() []string {
	var all []string
	for _, c := range callTable() {
		all = append(all, c.name)
	}
	return all
}

// ReadCall looks at the name of a call at text[at:end], and adds the argument that is in
// the place of a password, if it is given as a text and looks made.
func (r *Reader) ReadCall(at, end int) {
	s := r.text
	name := strings.ToLower(s[at:end])
	places, loose := calls()[name].places, calls()[name].loose
	i := end
	for n := 0; n < maxArguments && i < len(s); n++ {
		i = chars.RunOf(s[:min(len(s), i+128)], i, chars.IsSpace)
		if from, stop, ok := literal(s, i); ok {
			next := chars.RunOf(s, stop, chars.IsSpace)
			closed := next < len(s) && (s[next] == ',' || s[next] == ')') || strings.HasPrefix(s[next:], ".toCharArray()")
			for from < stop && !chars.IsQuote(s[from]) {
				from++
			}
			if n == 0 && (chars.Thing(s[from+1:stop-1]).IsMail() || name == "credentials(" && strings.IndexByte(s[from:stop], ' ') > 0) {
				loose = false // an account and nothing else
			}
			if v := s[from+1 : stop-1]; closed && strings.IndexByte(places, byte('0'+n)) >= 0 && acceptsArgument(v, loose) {
				r.add("password", from+1, stop-1)
				return
			}
			i = next
			if !closed {
				return
			}
		}
		// To the comma behind this argument, past what it holds in brackets.
		depth := 0
		for ; i < len(s) && i < end+512; i++ {
			switch c := s[i]; {
			case c == '(' || c == '[' || c == '{':
				depth++
			case c == ')' || c == ']' || c == '}':
				depth--
			case chars.IsQuote(c):
				if _, stop, ok := literal(s, i); ok {
					i = stop - 1
				}
			case c == ';' || c == '\n' && depth == 0 && i+1 < len(s) && !chars.IsSpace(s[i+1]) && !chars.IsQuote(s[i+1]):
				depth = -1
			}
			if depth < 0 {
				return
			}
			if depth == 0 && s[i] == ',' {
				break
			}
		}
		if i >= end+512 {
			return
		}
		i++
	}
}

// acceptsArgument reports whether v, an argument in the place of a password, is one and
// no name of a thing.
func acceptsArgument(v string, loose bool) bool {
	sh := chars.ShapeOf(v)
	if len(v) > 128 || isSelector(v) || chars.Thing(v+" ").IsTechnical() || chars.Thing(v).IsProduct() || chars.Thing(v).IsFile() ||
		strings.ContainsAny(v, ":/<>{}(),; ") && sh.Upper == 0 || strings.ContainsAny(v, " ") {
		return false
	}
	if loose {
		odd := sh.Symbol - strings.Count(v, "-") - strings.Count(v, "_") - strings.Count(v, ".")
		return acceptsCalled(password, v) && !strings.ContainsAny(v, "/:=") && (odd > 0 || sh.Digit > 1 && !chars.IsCodeName(v) ||
			sh.Digit > 1 && sh.Upper > 0 && sh.Lower > 0 && sh.Symbol == 0) && saidValue(v)
	}
	return acceptsCalled(password, v) || len(v) >= 5 && !chars.Thing(v).IsNone() && !strings.HasPrefix(v, "-") &&
		!strings.ContainsAny(v,
			"/.") || len(v) >= 6 && sh.Digit > 0 && sh.Letters() > 0 && acceptsBound(v) && !strings.HasPrefix(v, "-") &&
		(sh.Digit > 1 || sh.Symbol > 0)
}

// isSelector reports whether v names a thing of a page: "#pass2", ".btn-primary-2",
// "btn-primary-2".
func isSelector(v string) bool {
	if v == "" || chars.Thing(v).IsHost() || (v[0] == '#' || v[0] == '.') && chars.ShapeOf(v[1:]).Symbol == 0 && chars.ShapeOf(v).Upper == 0 {
		return true
	}
	sh := chars.ShapeOf(v)
	return sh.Upper == 0 && sh.Digit == 1 && sh.Symbol > 0 && strings.Count(v, "-")+strings.Count(v, "_") == sh.Symbol &&
		(v[len(v)-2] == '-' || v[len(v)-2] == '_')
}

// AccountStems are the accounts that people give with the password: ReadAccount reads from them.
func AccountStems() []string {
	return []string{"root:", "admin:", "administrator:", "postgres:", "ubuntu:", "oracle:", "sysadmin:", "pi:"}
}

// ReadAccount looks at what AccountStems has at text[at:end]: "root:X on host".
func (r *Reader) ReadAccount(at, end int) {
	s := r.text
	if !chars.StartsWord(s, at) || at > 0 && strings.IndexByte("/@.-$:", s[at-1]) >= 0 {
		return
	}
	stop := chars.RunOf(s[:min(len(s), end+80)], end, func(c byte) bool { return !chars.IsSpace(c) })
	rest := strings.ToLower(strings.TrimLeft(s[stop:min(len(s), stop+8)], " \t"))
	where := false
	for _, w := range [...]string{"on ", "at ", "@ ", "auf ", "sur ", "en ", "op ", "на ", "em ", "su "} {
		where = where || strings.HasPrefix(rest, w)
	}
	v := s[end:stop]
	if where && len(v) >= 6 && (saidValue(v) || firmSpoken(password, v) || isChain(v)) && !chars.Thing(v).IsProduct() && acceptsBound(v) {
		r.add("password", end, stop)
	}
}

// AskedStems end a sentence that says what to type: ReadAsked reads from there.
func AskedStems() []string {
	return []string{"at the prompt", "when it asks", "when asked", "when prompted", "at the password", "beim prompt", "wenn er fragt", "quand il demande"}
}

// ReadAsked looks at what AskedStems has at text[at:end]: "type X at the prompt".
func (r *Reader) ReadAsked(at, _ int) {
	s := r.text
	end := chars.RunBack(s, at, chars.IsBlank)
	from := wordBack(s, end)
	before := s[max(0, from-24):from]
	if from == end || end == at || !isSaying(before[strings.LastIndexAny(before, "\"'`")+1:]) {
		return
	}
	vs, ve, _ := trimSpoken(s, from, end)
	if v := s[vs:ve]; vs < ve && saidValue(v) && !chars.Thing(v).IsProduct() {
		r.add("password", vs, ve)
	}
}

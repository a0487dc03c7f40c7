package command

// Programs lists them.
func Programs() []Program {
	attached := func(o ...string) func(r *Reader, at, end int) { return options(o, nil, nil) }
	spaced := func(o ...string) func(r *Reader, at, end int) { return options(nil, o, nil) }
	paired := func(o ...string) func(r *Reader, at, end int) { return options(nil, nil, o) }
	return []Program{
		{"mysql-password", []string{"mysql", "mariadb", "mycli"}, attached("-p")},
		{"sshpass-password", []string{"sshpass"}, options([]string{"-p"}, []string{"-p"}, nil)},
		{"curl-password", []string{"curl", "xh ", "wget"}, paired("-u", "--user", "-U", "--proxy-user")},
		{"http-password", []string{"http ", "https "}, paired("-a", "--auth")},
		{"redis-password", []string{"redis-cli"}, spaced("-a", "--pass")},
		{"docker-password", []string{"docker login", "podman login", "helm registry login", "skopeo login", "oc login"}, options([]string{"-p"}, []string{"-p"}, nil)},
		{"upload-password", []string{"az login", "twine", "mongo"}, spaced("-p")},
		{"ldap-password", []string{"ldap"}, options([]string{"-w"}, []string{"-w"}, nil)},
		{"key-password", []string{"openssl enc", "openssl aes", "useradd", "usermod"}, spaced("-k", "-p", "-K")},
		{"rclone-password", []string{"rclone"}, spaced("pass", "password")},
		{"lftp-password", []string{"lftp"}, commaPaired("-u", "--user")},
		{"wpa-password", []string{"wpa_passphrase "}, nth(1)},
		{"htpasswd-password", []string{"htpasswd -b", "htpasswd -nb", "htpasswd -cb"}, nth(2)},
		{"net-password", []string{"net use "}, (*Reader).netUse},
		{"net-user", []string{"net user "}, nth(1)},
		{"slash-password", []string{" /pass:", " /password:", " /p:"}, (*Reader).slashOption},
		{"user-password", []string{" -p ", " -p'", " -p\""}, (*Reader).userAndPassword},
		{"keygen-password", []string{"ssh-keygen"}, spaced("-N", "-P")},
		{"here-password", []string{"<<<"}, (*Reader).hereString},
		{"sql-password", []string{"identified by", "identified with"}, (*Reader).identifiedBy},
		{"zip-password", []string{"unzip ", "zip ", "7z ", "7za ", "unrar ", "rar "}, options([]string{"-hp", "-p", "-P"}, []string{"-P"}, nil)},
		{"sqlcmd-password", []string{
			"sqlcmd", "bcp ", "mosqu" + "itto_", "ipmitool", "mongoimport", "mongodump", "cqlsh", "isql",
			"tsql", "fisql",
		}, spaced("-P")},
		{
			"oracle-login",
			[]string{"connect ", "conn ", "exp ", "imp ", "logon ", "sqlldr ", "sqlplus ", "impdp ", "expdp ", "rman "},
			(*Reader).slashed,
		},
		{"rabbit-password", []string{"rabbitmqctl add_user ", "rabbitmqctl change_password "}, nth(1)},
		{"task-password", []string{"schtasks"}, spaced("/rp")},
		{"directive-password", []string{"stats auth ", "authorization user "}, func(r *Reader, at, end int) { r.nthOf(at, end, 0, ':') }},
		{"prompt-password", []string{"ftp> user "}, nth(1)},
		{"set-secret", []string{"secrets set "}, func(r *Reader, at, end int) { r.nthOf(at, end, 0, '=') }},
		{"target-password", []string{".py "}, (*Reader).target},
		{"login-token", []string{"vault login "}, nth(0)},
		{"secret-body", []string{"gh secret set", "gh variable set"}, spaced("--body", "-b")},
		{"secure-string", []string{"convertto-securestring "}, (*Reader).secureString},
		{"smb-password", []string{"smbclient", "rpcclient", "mount.cifs"}, percent("-U", "--user")},
		{"rdp-password", []string{"xfreerdp", "rdesktop"}, options([]string{"/p:", "-p"}, []string{"-p"}, nil)},
		{"openssl-password", []string{"pass:"}, (*Reader).opensslPass},
		{"piped-password", []string{"echo ", "printf ", "yes "}, (*Reader).piped},
		{"obscured-password", []string{"rclone obscure ", "bw unlock ", "keepassxc-cli ", "vncpasswd ", "mkpasswd ", "openssl passwd ", "doveadm pw -p "}, nth(0)},
		{"login-word", []string{
			" login ", " signin ", " sign-in ", " authtoken ", " add-authtoken ", " unlock ", " identify ",
			" authenticate ", " logon ",
		}, (*Reader).loginWord},
		{"auth-token", []string{"doctl auth ", "linode-cli ", "gh auth "}, spaced("-t", "--access-token", "--with-token")},
		{"substituted-password", []string{"<(echo ", "<(printf ", "$(echo "}, (*Reader).substituted},
		{"expect-send", []string{"send ", "send_user ", "exp_send "}, (*Reader).expectSend},
		{"password-command", []string{"password-command", "password_command", "passcommand", "passwordeval", "passwordcommand", "passcmd", "pass-cmd", "passphrase-command", "askpass"}, (*Reader).passwordCommand},
		{"totp-secret", []string{"oathtool "}, nth(0)},
		{
			"verb-of-key",
			[]string{
				"passphrase ", "privkey ", "password ", "masterkey ", "seed ", "privatekey ", "private-key ",
				"private_key ", "authkey ", "wepkey ", " psk ", "passwd ", "+login ", "unlockwallet ", "unlock-wallet ",
			},
			(*Reader).verbOfKey,
		},
		{"snmp-community", []string{"snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap", "onesixtyone"}, spaced("-c", "-A", "-X")},
	}
}

package redact

// chatFrames are what people say around a password, in eleven languages.
func chatFrames() []string {
	return []string{
		"my password is @@", "my password is @@.", "My password is: @@", "the password is @@", "the password for the staging server is @@", "the wifi password is @@, ok?", "hey, my netflix password is @@ please don't share it",
		"use @@ as the password", "use the password @@", "log in with the password @@", "you can log in as bob with password @@", "password for bob: @@", "password for the db is @@", "pw: @@", "pw is @@", "pass: @@", "pwd is @@", "pwd: @@",
		"login: bob / pw: @@", "login: bob\npw: @@", "user: admin pass: @@", "user: admin, password: @@", "username bob password @@", "username: bob\npassword: @@", "I set the root password to @@", "I changed my password to @@ yesterday", "we set it to @@, the password I mean",
		"creds: bob / @@", "creds are bob:@@", "credentials: bob:@@", "the credentials are admin / @@", "the wifi is HomeNet, password @@", "wifi: HomeNet, pw @@", "the passcode is @@", "please remember that my bank password is @@", "my new password will be @@", "temporary password: @@",
		"@@ is my password", "@@ is the password for the db", "@@ is the admin password, don't tell", "the password's @@", "the sudo password? it's @@", "password = @@", "Password - @@", "passwd @@", "try this password: @@", "the old password was @@", "their password is @@ I think", "the password to my laptop is @@",
		"remember my password @@", "my gmail login is bob@x.test / @@", "bob@x.test:@@", "server root pw @@", "admin:@@ on the router", "default password is admin@@", "the pw of the nas is \"@@\"", "sign in as bob, password \"@@\"", "I use @@ as my password everywhere", "the database password (prod) is @@", "password is still @@", "the password remains @@", "it asks for a password, enter @@", "for the vpn: user bob, password @@",
		"PASSWORD IS @@", "Password:@@", "password->@@", "password => @@", "password → @@", "**Password:** @@", "**Password**: `@@`", "- password: @@", "| password | @@ |", "password\n@@", "Password:\n@@\n", "passphrase @@", "my master password is @@",
		"secret: @@", "my secret key is @@", "the token is @@", "unlock with @@ (that's the password)",

		"mein Passwort ist @@", "das Passwort lautet @@", "das WLAN-Passwort ist @@.", "Passwort: @@", "Kennwort: @@", "Passwort für den Server: @@", "das Passwort für die Datenbank ist @@", "mein Kennwort lautet @@", "Benutzer: bob, Passwort: @@", "nimm @@ als Passwort", "@@ ist mein Passwort", "das neue Passwort heißt @@", "ich habe das Passwort auf @@ geändert", "mit dem Passwort @@ anmelden", "Zugangsdaten: bob / @@", "PW: @@", "Passwort @@", "das Root-Passwort wäre @@",
		"mon mot de passe est @@", "le mot de passe est @@.", "mot de passe : @@", "le mot de passe du wifi est @@", "mdp : @@", "mdp: @@", "le mdp c'est @@", "utilise @@ comme mot de passe", "@@ est mon mot de passe", "identifiant : bob, mot de passe : @@", "j'ai changé mon mot de passe en @@", "le nouveau mot de passe sera @@", "avec le mot de passe @@", "code wifi : @@",
		"mi contraseña es @@", "la contraseña es @@.", "contraseña: @@", "la contraseña del wifi es @@", "la clave es @@", "clave: @@", "mi clave del banco es @@", "usuario: bob, contraseña: @@", "usa @@ como contraseña", "@@ es mi contraseña", "cambié la contraseña a @@", "contrasena: @@", "la nueva contraseña será @@",
		"la mia password è @@", "la password è @@.", "password del wifi: @@", "la password del server è @@", "la parola d'ordine è @@", "utente: bob, password: @@", "usa @@ come password", "@@ è la mia password", "ho cambiato la password in @@", "la nuova password sarà @@", "la password e' @@",
		"minha senha é @@", "a senha é @@.", "senha: @@", "a senha do wifi é @@", "minha palavra-passe é @@", "palavra-passe: @@", "usuário: bob, senha: @@", "use @@ como senha", "@@ é a minha senha", "mudei a senha para @@", "senha do banco: @@",
		"mijn wachtwoord is @@", "het wachtwoord is @@.", "wachtwoord: @@", "het wifi-wachtwoord is @@", "gebruiker: bob, wachtwoord: @@", "gebruik @@ als wachtwoord", "@@ is mijn wachtwoord", "het nieuwe wachtwoord wordt @@", "ww: @@", "het wachtwoord van de server is @@",
		"moje hasło to @@", "hasło: @@", "hasło do wifi: @@", "hasło to @@.", "hasło jest @@", "użytkownik: bob, hasło: @@", "użyj @@ jako hasła", "@@ to moje hasło", "moje haslo to @@", "hasło brzmi @@",
		"мой пароль @@", "мой пароль: @@", "пароль: @@", "Пароль - @@", "пароль от вайфая @@", "пароль от вайфая: @@", "пароль это @@", "пароль — @@", "логин bob пароль @@", "логин: bob, пароль: @@", "новый пароль будет @@", "используй @@ как пароль", "@@ это мой пароль",
		"パスワードは@@です", "パスワードは @@ です。", "パスワード: @@", "パスワード：@@", "Wi-Fiのパスワードは@@だよ", "サーバーのパスワードは「@@」です", "ユーザー名はbob、パスワードは@@", "暗証番号は@@です", "パスワードを@@に変更しました", "新しいパスワード：@@",
		"密码是@@", "我的密码是@@", "密码：@@", "密码: @@", "wifi密码是@@。", "服务器的密码为@@", "用户名bob，密码@@", "密码改成@@了", "口令：@@", "新密码：@@", "我的密碼是@@", "登录密码 @@",
		"비밀번호는 @@ 입니다", "비밀번호: @@", "mitt lösenord är @@", "lösenord: @@", "mit kodeord er @@", "passordet er @@", "salasana on @@", "heslo je @@", "heslo: @@", "şifre: @@", "şifrem @@", "parola: @@", "mật khẩu: @@", "jelszó: @@", "пароль мій: @@", "κωδικός: @@",
	}
}

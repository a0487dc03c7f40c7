package rules

import "strings"

// usual are commands that people run everywhere, a line each, so that a change shows
// what it does where little was recorded.
const usual = `
ls -la
cat README.md
grep -rn TODO src
find . -name "*.log" -mtime +30
find . -name "*.log" -delete
rm build/out.o
rm -rf build
rm -rf /var/tmp/cache
mv notes.txt notes.old
cp -r src backup
chmod +x run.sh
chmod -R 777 .
chown -R me:me /srv/www
git status
git diff
git log --oneline
git add -A
git commit -m "wip"
git commit --amend --no-edit
git push
git push origin main
git push --force origin main
git push --force-with-lease
git reset --hard HEAD~1
git clean -fdx
git checkout -- .
git rebase -i HEAD~3
git branch -D feature
git stash drop
git tag -d v1.0.0
npm install
npm ci
npm test
npm publish
npx create-app demo
yarn add left-pad
pip install requests
pip install -r requirements.txt
cargo build --release
cargo publish
go build ./...
go test ./...
go get -u ./...
make
make install
make clean
docker ps
docker build -t app .
docker run --rm -it app sh
docker system prune -af
docker rm -f web
docker compose up -d
docker compose down -v
kubectl get pods
kubectl apply -f deploy.yaml
kubectl delete pod web-0
kubectl delete namespace staging
helm upgrade web ./chart
terraform plan
terraform apply
terraform destroy
aws s3 ls
aws s3 rm s3://bucket --recursive
gcloud compute instances delete web
ssh host uptime
scp dump.sql host:/tmp/
rsync -av --delete src/ host:/srv/
curl -s https://example.org/api
curl -fsSL https://example.org/install.sh | sh
wget https://example.org/file.tar.gz
tar xzf file.tar.gz
sudo apt install jq
sudo systemctl restart nginx
sudo reboot
systemctl --user restart app
kill 1234
kill -9 1234
pkill node
dd if=image.iso of=/dev/sdb
mkfs.ext4 /dev/sdb1
psql -c "select 1"
psql -c "drop table users"
mysql -e "delete from orders"
redis-cli flushall
sqlite3 app.db .dump
python manage.py migrate
python script.py
node index.js
sed -i s/a/b/ config.ini
echo done > /etc/motd
crontab -r
brew upgrade
gh pr merge 12
gh release create v1.2.0
`

// Usual returns commands that people run everywhere.
func Usual() []Command {
	var list []Command
	for line := range strings.Lines(usual) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, Command{Line: line})
		}
	}
	return list
}

#!/usr/bin/env bash
# Keeps the state folder of a project from job to job of GitHub Actions or GitLab, encrypted with STATE_PASSWORD. Copy it to
# ci/state.sh. NAME is that of the environment, and of the shard if there are several: only one job at a time may have it.
#   ci/state.sh restore NAME    unpacks what the last job kept, on GitHub the last one of this branch, if there is something
#   ci/state.sh save NAME       keeps the folder; on GitHub, a step uploads state.tgz.gpg as the artifact NAME
set -euo pipefail
umask 077
name=$2
# As `state_dir` of evenkeel.yml.
folder=.evenkeel
file=state.tgz.gpg
# In the package registry of the GitLab project. Of several files of a name, GitLab returns the newest.
package=${CI_API_V4_URL:-}/projects/${CI_PROJECT_ID:-}/packages/generic/$name/1.0.0/$file
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

crypt() { gpg --batch --quiet --pinentry-mode loopback --passphrase-fd 3 --output "$@" 3<<< "$STATE_PASSWORD"; }
fail() { echo "$1" >&2 && exit 1; }

case $1 in
  restore)
    rm -f "$file" state.restored
    if [ -n "${GITLAB_CI:-}" ]; then
      # Unlike a header, --user is not sent to another host that keeps the file.
      status=$(curl -sSL --user "gitlab-ci-token:$CI_JOB_TOKEN" -o "$work/$file" -w '%{http_code}' "$package")
      case $status in
        200) ;;
        404) rm -f "$work/$file" ;;
        *) fail "GitLab answers $status to $package" ;;
      esac
    else
      newest=$(gh api --paginate "repos/{owner}/{repo}/actions/artifacts?per_page=100&name=$name" --jq '.artifacts[]
        | select(.workflow_run | .head_repository_id == .repository_id and .head_branch == env.GITHUB_REF_NAME)
        | "\(.created_at) \(.expired) \(.workflow_run.id)"' | sort | tail -n 1)
      case $newest in
        '') ;;
        *' true '*) fail "the state $name has expired on GitHub: another name starts with an empty state" ;;
        *) gh run download "${newest##* }" --name "$name" --dir "$work" ;;
      esac
    fi
    if [ -f "$work/$file" ]; then
      # gpg also accepts what is not encrypted, and so may be from anyone.
      crypt "$work/state.tgz" --status-fd 1 --decrypt "$work/$file" | grep '^\[GNUPG:\] DECRYPTION_OKAY' > /dev/null ||
        fail "the state $name is not encrypted with STATE_PASSWORD"
      tar -xzf "$work/state.tgz" --no-same-owner "$folder"
    else
      echo "there is no state $name yet"
    fi
    touch state.restored
    ;;
  save)
    # After a restore that failed, an empty state would replace the kept one.
    [ -f state.restored ] || fail "the state $name was not restored, and is not saved"
    [ -d "$folder" ] || { echo "there is no state $name to save" && exit; }
    tar -cz "$folder" | crypt "$work/$file" --symmetric
    mv "$work/$file" .
    [ -z "${GITLAB_CI:-}" ] || curl -sSf -H "JOB-TOKEN: $CI_JOB_TOKEN" --upload-file "$file" "$package"
    ;;
  *) fail "use: ci/state.sh restore NAME, or ci/state.sh save NAME" ;;
esac

#!/usr/bin/env bash
# Keeps the state folder of a project from job to job of GitHub Actions or GitLab, encrypted with STATE_PASSWORD. Copy it to
# ci/state.sh. NAME is that of the environment, and of the shard if there are several: only one job at a time may have it.
#   ci/state.sh restore NAME    unpacks what the last job kept, if there is something
#   ci/state.sh save NAME       keeps the folder; on GitHub, a step uploads state.tgz.gpg as the artifact NAME
set -euo pipefail
umask 077
name=$2
file=state.tgz.gpg
# In the package registry of the GitLab project. Of several files of a name, GitLab returns the newest.
package=${CI_API_V4_URL:-}/projects/${CI_PROJECT_ID:-}/packages/generic/$name/1.0.0/$file

crypt() { gpg --batch --yes --quiet --pinentry-mode loopback --passphrase-fd 3 --output "$1" "${@:2}" 3<<< "$STATE_PASSWORD"; }

case $1 in
  restore)
    rm -f "$file"
    if [ -n "${GITLAB_CI:-}" ]; then
      status=$(curl -sSL -H "JOB-TOKEN: $CI_JOB_TOKEN" -o "$file" -w '%{http_code}' "$package")
      case $status in
        200) ;;
        404) rm "$file" ;;
        *) echo "GitLab answers $status to $package" >&2 && exit 1 ;;
      esac
    else
      # Not of a fork: anyone could have uploaded that.
      run=$(gh api "repos/{owner}/{repo}/actions/artifacts?per_page=100&name=$name" --jq '[.artifacts[] | select(.expired | not)
        | select(.workflow_run | .head_repository_id == .repository_id)] | max_by(.created_at) | .workflow_run.id // empty')
      [ -z "$run" ] || gh run download "$run" --name "$name"
    fi
    if [ -f "$file" ]; then
      crypt state.tgz --decrypt "$file"
      tar -xzf state.tgz --no-same-owner
      rm state.tgz
    else
      echo "there is no state $name yet"
    fi
    touch state.restored
    ;;
  save)
    # After a restore that failed, an empty state would replace the kept one.
    [ -f state.restored ] || { echo "the state $name was not restored, and is not saved" >&2 && exit 1; }
    tar -czf state.tgz .evenkeel
    crypt "$file" --symmetric state.tgz
    rm state.tgz
    [ -z "${GITLAB_CI:-}" ] || curl -sSf -H "JOB-TOKEN: $CI_JOB_TOKEN" --upload-file "$file" "$package"
    ;;
esac

import { readFileSync } from 'node:fs';

const ROOT = 0;

/**
 * Whether only these users are in a group. Many systems give each user a group of the same name or number. Members of
 * other groups may come from a directory service, so such a group counts as shared.
 */
export function isPrivateGroup(gid: number, users: ReadonlySet<number>): boolean {
  if (gid === ROOT) return true;
  const accounts = linesOf('/etc/passwd').map(([name = '', , uid, group]) => ({
    name,
    uid: Number(uid),
    group: Number(group),
  }));
  const [name = '', , , members = ''] = linesOf('/etc/group').find(([, , id]) => Number(id) === gid) ?? [];
  const isOurs = (user: string): boolean => accounts.some((one) => one.name === user && users.has(one.uid));
  return (
    (users.has(gid) || isOurs(name)) &&
    members.split(',').every((member) => member === '' || isOurs(member)) &&
    accounts.every(({ uid, group }) => group !== gid || users.has(uid))
  );
}

function linesOf(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

/**
 * The outcome of a transfer under each kind of fault, by the requests that it hits: how the task ends, how often the file was sent, and
 * whether the controller has it then; for a download, whether the local file is the old one. Faults that only a time limit ends are not in
 * it: on a busy machine the time limit may hit another request.
 */
const TABLE = `
kind                             | the upload           | the answer to an upload that arrived | the look before it | every look           | a download, once | a download
touch                            | changed 1 there      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
expire                           | changed 2 there      | changed 2 there                      | changed 1 there    | unreachable 0 absent | changed new      | unreachable old
latency                          | changed 1 there      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
answer 202                       | failed 1 absent      | changed 1 there                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
answer 204                       | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | failed old       | failed old
answer 400                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 401                       | changed 2 there      | changed 2 there                      | changed 1 there    | unreachable 0 absent | changed new      | unreachable old
answer 403                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 404                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 408                       | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 0 absent      | changed new      | failed old
answer 409                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 412                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 422                       | failed 1 absent      | failed 1 there                       | changed 1 there    | changed 1 there      | failed old       | failed old
answer 429                       | failed 1 absent      | failed 1 there                       | changed 1 there    | failed 0 absent      | changed new      | failed old
answer 429, come back in an hour | failed 1 absent      | failed 1 there                       | failed 0 absent    | failed 0 absent      | failed old       | failed old
answer 500                       | failed 1 absent      | failed 1 there                       | failed 0 absent    | failed 0 absent      | failed old       | failed old
answer 502                       | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 0 absent      | changed new      | failed old
answer 503                       | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 0 absent      | changed new      | failed old
answer 504                       | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 0 absent      | changed new      | failed old
drop                             | unreachable 1 absent | changed 1 there                      | changed 1 there    | unreachable 0 absent | changed new      | unreachable old
cut                              | changed 1 there      | changed 1 there                      | changed 1 there    | unreachable 0 absent | changed new      | unreachable old
redirect                         | failed 1 absent      | failed 1 absent                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
garbage html                     | failed 1 absent      | changed 1 there                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
garbage truncated                | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | failed old       | failed old
garbage shape                    | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
garbage list                     | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
garbage empty                    | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | failed old       | failed old
garbage bytes                    | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 1 there       | changed new      | changed new
garbage gzip                     | failed 1 absent      | changed 1 there                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
garbage deep                     | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
garbage twice                    | failed 1 absent      | changed 1 there                      | changed 1 there    | failed 1 there       | changed new      | changed new
garbage proto                    | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
garbage nan                      | failed 1 absent      | changed 1 there                      | changed 1 there    | changed 1 there      | changed new      | changed new
huge                             | failed 1 absent      | failed 1 absent                      | failed 0 absent    | failed 0 absent      | changed new      | changed new
endless body                     | failed 1 absent      | changed 1 there                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
endless headers                  | failed 1 absent      | changed 1 there                      | failed 0 absent    | failed 0 absent      | failed old       | failed old
length too small                 | changed 1 there      | changed 1 there                      | changed 1 there    | changed 1 there      | failed old       | failed old
`;

/** By moment, then by kind. */
export const TRANSFERS: Readonly<Record<string, Readonly<Record<string, string>>>> = transfersIn(TABLE);

function transfersIn(table: string): typeof TRANSFERS {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const columns = head.slice(1).map((moment, at) => {
    const cells = rows.map(([kind = '', ...outcomes]) => [kind, outcomes[at] ?? ''] as const);
    return [moment, Object.fromEntries(cells)] as const;
  });
  return Object.fromEntries(columns);
}

import type { Errand } from './subjects.js';

/**
 * The outcome of a task under every misbehaviour. The columns: what a controller does, to which requests (`MOMENTS`),
 * and the outcomes of four tasks (create a cloud, update one, update the system configuration, delete a cloud) and of
 * checking them. An outcome is the status, how many writes arrived, the state of the controller afterwards (`before`,
 * `after`, `bare`, `broken`), and the message: `read` and `write` stand for the requests, `…` for what the kind says
 * (`KINDS`). `=`: as in the column before it. Never are there two objects of one name.
 */
const TABLE = `
none                             | -               | changed 1 after | = | = | = | changed 0 before
latency                          | -               | changed 1 after | = | = | = | changed 0 before
filter exact                     | -               | changed 1 after | = | = | = | changed 0 before
filter substring                 | -               | changed 1 after | = | = | = | changed 0 before
filter case-insensitive          | -               | changed 1 after | = | = | = | changed 0 before
filter ignored                   | -               | changed 1 after | = | = | = | changed 0 before
duplicates allow                 | -               | changed 1 after | = | = | = | changed 0 before
duplicates 400                   | -               | changed 1 after | = | = | = | changed 0 before
duplicates 409                   | -               | changed 1 after | = | = | = | changed 0 before
unreadable 404                   | -               | changed 1 after | = | changed 1 bare · could not be compared | changed 1 after | changed 0 before ; = ; changed 0 before · could not be compared ; changed 0 before
unreadable 405                   | -               | changed 1 after | = | changed 1 bare · could not be compared | changed 1 after | changed 0 before ; = ; changed 0 before · could not be compared ; changed 0 before
unreadable 501                   | -               | changed 1 after | = | changed 1 bare · could not be compared | changed 1 after | changed 0 before ; = ; changed 0 before · could not be compared ; changed 0 before
paging absolute                  | -               | changed 1 after | = | = | = | changed 0 before
paging relative                  | -               | changed 1 after | = | = | = | changed 0 before
paging foreign                   | -               | failed 0 before · read: the next page is at another address (https://elsewhere.invalid/api/cloud/?name=edge&page=2), which is not followed | = | changed 1 after | failed 0 before · read: the next page is at another address (https://elsewhere.invalid/api/cloud/?name=edge&page=2), which is not followed | failed 0 before · read: the next page is at another address (https://elsewhere.invalid/api/cloud/?name=edge&page=2), which is not followed ; = ; changed 0 before ; failed 0 before · read: the next page is at another address (https://elsewhere.invalid/api/cloud/?name=edge&page=2), which is not followed
paging loop                      | -               | failed 0 before · read: the pages of the list form a loop | = | changed 1 after | failed 0 before · read: the pages of the list form a loop | failed 0 before · read: the pages of the list form a loop ; = ; changed 0 before ; failed 0 before · read: the pages of the list form a loop
paging missing                   | -               | failed 0 before · read: the controller counts 2 objects but sent 1, so it is unknown whether this object is among the missing ones | failed 0 before · read: the controller counts 3 objects but sent 1, so it is unknown whether this object is among the missing ones | changed 1 after | failed 0 before · read: the controller counts 3 objects but sent 1, so it is unknown whether this object is among the missing ones | failed 0 before · read: the controller counts 2 objects but sent 1, so it is unknown whether this object is among the missing ones ; failed 0 before · read: the controller counts 3 objects but sent 1, so it is unknown whether this object is among the missing ones ; changed 0 before ; failed 0 before · read: the controller counts 3 objects but sent 1, so it is unknown whether this object is among the missing ones
count too large                  | -               | failed 0 before · read: the controller counts 1 object but sent 0, so it is unknown whether this object is among the missing ones | changed 1 after | = | failed 1 after · unverified: read: the controller counts 1 object but sent 0, so it is unknown whether this object is among the missing ones | failed 0 before · read: the controller counts 1 object but sent 0, so it is unknown whether this object is among the missing ones ; changed 0 before
count too small                  | -               | changed 1 after | = | = | = | changed 0 before
sensitive                        | -               | changed 1 after | = | = | = | changed 0 before
lag 1                            | -               | changed 1 after | = | = | = | changed 0 before
lag 3                            | -               | changed 1 after | = | = | = | changed 0 before
lag for ever                     | -               | failed 1 after · not converged: it does not exist after it was written | failed 1 after · not converged: it still differs after it was written: mtu | failed 1 after · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 after · not converged: it still exists after it was deleted | changed 0 before
locking                          | -               | changed 1 after | = | = | = | changed 0 before
rate                             | -               | changed 1 after | = | = | = | changed 0 before
latency                          | read, always    | changed 1 after | = | = | = | changed 0 before
latency                          | write, always   | changed 1 after | = | = | =
latency                          | verify, always  | changed 1 after | = | = | =
answer 202                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 202                       | write, always   | failed 1 before · write: … | failed 1 before · not converged: it still differs after it was written: mtu | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted
answer 202                       | applied, always | changed 1 after | = | = | =
answer 202                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 204                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 204                       | write, always   | failed 2 before · write: …, but not with JSON; it may have taken effect | failed 1 before · not converged: it still differs after it was written: mtu | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted
answer 204                       | applied, always | changed 1 after | = | = | =
answer 204                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 400                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 400                       | write, always   | failed 1 before · write: … | = | = | =
answer 400                       | applied, always | failed 1 after · write: … | = | = | =
answer 400                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 401                       | read, always    | unreachable 0 before · read: … | = | = | = | unreachable 0 before · read: …
answer 401                       | write, always   | unreachable 1 before · write: … | = | = | =
answer 401                       | verify, always  | unreachable 1 after · unverified: read: … | = | = | =
answer 403                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 403                       | write, always   | failed 1 before · write: … | = | = | =
answer 403                       | applied, always | failed 1 after · write: … | = | = | =
answer 403                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 404                       | read, always    | failed 0 before · read: … | = | changed 1 bare · could not be compared | failed 0 before · read: … | failed 0 before · read: … ; = ; changed 0 before · could not be compared ; failed 0 before · read: …
answer 404                       | write, always   | failed 1 before · write: … | = | = | failed 1 before · not converged: it still exists after it was deleted
answer 404                       | applied, always | failed 1 after · write: … | = | = | changed 1 after
answer 404                       | verify, always  | failed 1 after · unverified: read: … | = | changed 1 after · could not be compared | failed 1 after · unverified: read: …
answer 408                       | read, once      | changed 1 after | = | = | = | changed 0 before
answer 408                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 408                       | write, once     | changed 2 after | = | = | =
answer 408                       | write, always   | failed 2 before · write: … | failed 3 before · write: … | = | =
answer 408                       | applied, once   | changed 1 after | changed 2 after | = | =
answer 408                       | applied, always | changed 1 after | failed 3 after · write: … | = | =
answer 408                       | verify, once    | changed 1 after | = | = | =
answer 408                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 409                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 409                       | write, always   | failed 1 before · write: … | = | = | =
answer 409                       | applied, always | changed 1 after | failed 1 after · write: … | = | =
answer 409                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 412                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 412                       | write, always   | failed 1 before · write: … | failed 3 before · write: changed by someone else since it was read (412) | = | failed 1 before · write: …
answer 412                       | applied, always | failed 1 after · write: … | ok 1 after | = | failed 1 after · write: …
answer 412                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 422                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 422                       | write, always   | failed 1 before · write: … | = | = | =
answer 422                       | applied, always | failed 1 after · write: … | = | = | =
answer 422                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 429                       | read, once      | changed 1 after | = | = | = | changed 0 before
answer 429                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 429                       | write, once     | changed 2 after | = | = | =
answer 429                       | write, always   | failed 3 before · write: … | = | = | =
answer 429                       | applied, once   | changed 1 after | changed 2 after | = | =
answer 429                       | applied, always | changed 1 after | failed 3 after · write: … | = | =
answer 429                       | verify, once    | changed 1 after | = | = | =
answer 429                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 429, come back in an hour | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 429, come back in an hour | write, always   | failed 1 before · write: … | = | = | =
answer 429, come back in an hour | applied, always | failed 1 after · write: … | = | = | =
answer 429, come back in an hour | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 500                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 500                       | write, always   | failed 1 before · write: … | = | = | =
answer 500                       | applied, always | failed 1 after · write: … | = | = | =
answer 500                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 502                       | read, once      | changed 1 after | = | = | = | changed 0 before
answer 502                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 502                       | write, once     | changed 2 after | = | = | =
answer 502                       | write, always   | failed 2 before · write: … | failed 3 before · write: … | = | =
answer 502                       | applied, once   | changed 1 after | changed 2 after | = | =
answer 502                       | applied, always | changed 1 after | failed 3 after · write: … | = | =
answer 502                       | verify, once    | changed 1 after | = | = | =
answer 502                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 503                       | read, once      | changed 1 after | = | = | = | changed 0 before
answer 503                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 503                       | write, once     | changed 2 after | = | = | =
answer 503                       | write, always   | failed 3 before · write: … | = | = | =
answer 503                       | applied, once   | changed 1 after | changed 2 after | = | =
answer 503                       | applied, always | changed 1 after | failed 3 after · write: … | = | =
answer 503                       | verify, once    | changed 1 after | = | = | =
answer 503                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
answer 504                       | read, once      | changed 1 after | = | = | = | changed 0 before
answer 504                       | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
answer 504                       | write, once     | changed 2 after | = | = | =
answer 504                       | write, always   | failed 2 before · write: … | failed 3 before · write: … | = | =
answer 504                       | applied, once   | changed 1 after | changed 2 after | = | =
answer 504                       | applied, always | changed 1 after | failed 3 after · write: … | = | =
answer 504                       | verify, once    | changed 1 after | = | = | =
answer 504                       | verify, always  | failed 1 after · unverified: read: … | = | = | =
drop                             | read, once      | changed 1 after | = | = | = | changed 0 before
drop                             | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
drop                             | write, once     | changed 2 after | = | = | =
drop                             | write, always   | unreachable 2 before · write: …; it may have taken effect | unreachable 3 before · write: …, 3 attempts; it may have taken effect | = | =
drop                             | applied, once   | changed 1 after | changed 2 after | = | =
drop                             | applied, always | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | =
drop                             | verify, once    | changed 1 after | = | = | =
drop                             | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
cut                              | read, once      | changed 1 after | = | = | = | changed 0 before
cut                              | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
cut                              | write, once     | changed 1 after | changed 2 after | = | =
cut                              | write, always   | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | =
cut                              | verify, once    | changed 1 after | = | = | =
cut                              | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
hang                             | read, once      | changed 1 after | = | = | = | changed 0 before
hang                             | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
hang                             | write, once     | changed 2 after | = | = | =
hang                             | write, always   | unreachable 2 before · write: …; it may have taken effect | unreachable 3 before · write: …, 3 attempts; it may have taken effect | = | =
hang                             | applied, once   | changed 1 after | changed 2 after | = | =
hang                             | applied, always | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | =
hang                             | verify, once    | changed 1 after | = | = | =
hang                             | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
redirect                         | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
redirect                         | write, always   | failed 1 before · write: … | = | = | =
redirect                         | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage html                     | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage html                     | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage html                     | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage html                     | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage truncated                | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage truncated                | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage truncated                | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage truncated                | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage shape                    | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage shape                    | write, always   | failed 1 before · not converged: it does not exist after it was written | failed 1 before · not converged: it still differs after it was written: mtu | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted
garbage shape                    | applied, always | changed 1 after | = | = | =
garbage shape                    | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage list                     | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage list                     | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage list                     | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage list                     | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage empty                    | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage empty                    | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · not converged: it still differs after it was written: mtu | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted
garbage empty                    | applied, always | changed 1 after | = | = | =
garbage empty                    | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage bytes                    | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage bytes                    | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage bytes                    | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage bytes                    | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage gzip                     | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage gzip                     | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | =
garbage gzip                     | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | =
garbage gzip                     | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage deep                     | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage deep                     | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage deep                     | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage deep                     | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage twice                    | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage twice                    | write, always   | failed 1 before · not converged: it does not exist after it was written | failed 1 before · not converged: it still differs after it was written: mtu | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted
garbage twice                    | applied, always | changed 1 after | = | = | =
garbage twice                    | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage proto                    | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage proto                    | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage proto                    | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage proto                    | verify, always  | failed 1 after · unverified: read: … | = | = | =
garbage nan                      | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
garbage nan                      | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted
garbage nan                      | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after
garbage nan                      | verify, always  | failed 1 after · unverified: read: … | = | = | =
huge                             | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
huge                             | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | =
huge                             | verify, always  | failed 1 after · unverified: read: … | = | = | =
trickle body                     | read, once      | changed 1 after | = | = | = | changed 0 before
trickle body                     | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
trickle body                     | write, once     | changed 1 after | changed 2 after | = | changed 1 after
trickle body                     | write, always   | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | changed 1 after
trickle body                     | verify, once    | changed 1 after | = | = | =
trickle body                     | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
trickle headers                  | read, once      | changed 1 after | = | = | = | changed 0 before
trickle headers                  | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
trickle headers                  | write, once     | changed 1 after | changed 2 after | = | =
trickle headers                  | write, always   | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | =
trickle headers                  | verify, once    | changed 1 after | = | = | =
trickle headers                  | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
endless body                     | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
endless body                     | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | =
endless body                     | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | =
endless body                     | verify, always  | failed 1 after · unverified: read: … | = | = | =
endless headers                  | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
endless headers                  | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | =
endless headers                  | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | =
endless headers                  | verify, always  | failed 1 after · unverified: read: … | = | = | =
endless informational            | read, once      | changed 1 after | = | = | = | changed 0 before
endless informational            | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
endless informational            | write, once     | changed 2 after | = | = | =
endless informational            | write, always   | unreachable 2 before · write: …; it may have taken effect | unreachable 3 before · write: …, 3 attempts; it may have taken effect | = | =
endless informational            | applied, once   | changed 1 after | changed 2 after | = | =
endless informational            | applied, always | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | =
endless informational            | verify, once    | changed 1 after | = | = | =
endless informational            | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
length too large                 | read, once      | changed 1 after | = | = | = | changed 0 before
length too large                 | read, always    | unreachable 0 before · read: …, 3 attempts | = | = | = | unreachable 0 before · read: …, 3 attempts
length too large                 | write, once     | changed 1 after | changed 2 after | = | changed 1 after
length too large                 | write, always   | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | changed 1 after
length too large                 | verify, once    | changed 1 after | = | = | =
length too large                 | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | =
length too small                 | read, always    | failed 0 before · read: … | = | = | = | failed 0 before · read: …
length too small                 | write, always   | changed 1 after | failed 1 after · write: … | = | changed 1 after
length too small                 | verify, always  | failed 1 after · unverified: read: … | = | = | =
`;

/**
 * The same where controllers are signed in to by session and know references: `sign-in` and `list` are these requests.
 * A fifth task sends a PATCH, which is never repeated.
 */
const SESSION_TABLE = `
none           | -               | changed 1 after | = | = | = | =
paging loop    | -               | failed 1 after · unverified: read: the pages of the list form a loop | failed 0 before · read: the pages of the list form a loop | changed 1 after | failed 0 before · read: the pages of the list form a loop | changed 1 after
paging missing | -               | failed 1 after · unverified: read: the controller counts 2 objects but sent 1, so it is unknown whether this object is among the missing ones | failed 0 before · read: the controller counts 2 objects but sent 1, so it is unknown whether this object is among the missing ones | changed 1 after | failed 0 before · read: the controller counts 2 objects but sent 1, so it is unknown whether this object is among the missing ones | changed 1 after
lag 1          | -               | changed 1 after | = | = | = | =
filter ignored | -               | changed 1 after | = | = | = | =
expire         | read, once      | changed 1 after | = | = | = | =
expire         | read, always    | unreachable 0 before · read: … | = | = | = | changed 1 after
expire         | list, once      | changed 1 after | = | = | = | =
expire         | list, always    | unreachable 0 before · list: … | = | changed 1 after | = | =
expire         | write, once     | changed 2 after | = | = | = | =
expire         | write, always   | unreachable 6 before · write: … | = | = | = | =
expire         | verify, once    | changed 1 after | = | = | = | =
expire         | verify, always  | unreachable 1 after · unverified: read: … | = | = | = | changed 1 after
touch          | write, once     | changed 1 after | changed 2 after | = | changed 1 after | =
touch          | write, always   | changed 1 after | failed 3 before · write: changed by someone else since it was read (412) | = | changed 1 after | =
drop           | sign-in, once   | changed 1 after | = | = | = | =
drop           | sign-in, always | unreachable 0 before · read: cannot sign in: sign-in: …, 3 attempts | = | = | = | unreachable 0 before · write: cannot sign in: sign-in: …, 3 attempts
drop           | list, once      | changed 1 after | = | = | = | =
drop           | list, always    | unreachable 0 before · list: …, 3 attempts | = | changed 1 after | = | =
drop           | write, once     | changed 2 after | = | = | = | changed 2 after
drop           | write, always   | unreachable 2 before · write: …; it may have taken effect | unreachable 3 before · write: …, 3 attempts; it may have taken effect | = | = | unreachable 3 before · write: …, 3 attempts; it may have taken effect
drop           | applied, once   | changed 1 after | changed 2 after | = | = | changed 2 after
drop           | applied, always | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | = | unreachable 3 after · write: …, 3 attempts; it may have taken effect
drop           | verify, once    | changed 1 after | = | = | = | =
drop           | verify, always  | unreachable 1 after · unverified: read: …, 3 attempts | = | = | = | changed 1 after
hang           | sign-in, once   | changed 1 after | = | = | = | =
hang           | applied, once   | changed 1 after | changed 2 after | = | = | changed 2 after
cut            | sign-in, once   | changed 1 after | = | = | = | =
cut            | write, once     | changed 1 after | changed 2 after | = | = | changed 2 after
cut            | write, always   | changed 1 after | unreachable 3 after · write: …, 3 attempts; it may have taken effect | = | = | unreachable 3 after · write: …, 3 attempts; it may have taken effect
answer 400     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
answer 400     | write, always   | failed 1 before · write: … | = | = | = | failed 1 before · write answered 400, not a success: no
answer 401     | sign-in, always | unreachable 0 before · read: cannot sign in: sign-in: … | = | = | = | unreachable 0 before · write: cannot sign in: sign-in: …
answer 401     | read, always    | unreachable 0 before · read: … | = | = | = | changed 1 after
answer 401     | list, always    | unreachable 0 before · list: … | = | changed 1 after | = | =
answer 401     | write, once     | changed 2 after | = | = | = | =
answer 401     | write, always   | unreachable 6 before · write: … | = | = | = | =
answer 403     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
answer 403     | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
answer 403     | write, always   | failed 1 before · write: … | = | = | = | failed 1 before · write answered 403, not a success: no
answer 404     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: the controller answered 404 and has no such path | = | = | = | failed 0 before · write: cannot sign in: sign-in: the controller answered 404 and has no such path
answer 404     | read, always    | failed 0 before · read: … | = | = | = | changed 1 after
answer 404     | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
answer 404     | write, always   | failed 1 before · write: … | = | = | failed 1 before · not converged: it still exists after it was deleted | failed 1 before · write answered 404, not a success: no
answer 404     | verify, always  | failed 1 after · unverified: read: … | = | = | = | changed 1 after
answer 412     | write, once     | failed 1 before · write: … | changed 2 after | = | failed 1 before · write: … | failed 1 before · write answered 412, not a success: no
answer 412     | write, always   | failed 1 before · write: … | failed 3 before · write: changed by someone else since it was read (412) | = | failed 1 before · write: … | failed 1 before · write answered 412, not a success: no
answer 429     | sign-in, once   | changed 1 after | = | = | = | =
answer 429     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
answer 429     | list, once      | changed 1 after | = | = | = | =
answer 429     | write, once     | changed 2 after | = | = | = | =
answer 429     | write, always   | failed 3 before · write: … | = | = | = | failed 3 before · write answered 429, not a success: no
answer 500     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
answer 500     | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
answer 500     | write, always   | failed 1 before · write: … | = | = | = | failed 1 before · write answered 500, not a success: no
answer 503     | sign-in, once   | changed 1 after | = | = | = | =
answer 503     | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
answer 503     | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
answer 503     | write, once     | changed 2 after | = | = | = | changed 2 after
answer 503     | write, always   | failed 3 before · write: … | = | = | = | failed 3 before · write answered 503, not a success: no
answer 503     | applied, once   | changed 1 after | changed 2 after | = | = | changed 2 after
answer 503     | applied, always | changed 1 after | failed 3 after · write: … | = | = | failed 3 after · write answered 503, not a success: no
answer 503     | verify, always  | failed 1 after · unverified: read: … | = | = | = | changed 1 after
redirect       | sign-in, always | failed 0 before · read: cannot sign in: sign-in: … | = | = | = | failed 0 before · write: cannot sign in: sign-in: …
redirect       | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
redirect       | write, always   | failed 1 before · write: … | = | = | = | =
garbage html   | sign-in, always | failed 0 before · read: cannot sign in: sign-in: the controller answered 200 and set no cookie avi-sessionid or sessionid | = | = | = | failed 0 before · write: cannot sign in: sign-in: the controller answered 200 and set no cookie avi-sessionid or sessionid
garbage html   | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
garbage html   | write, once     | changed 2 after | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted | failed 1 before · write answered 200 with an error: a web page, not JSON: <!doctype html><title>Sign in</title><p>Please sign in.</p>
garbage html   | write, always   | failed 2 before · write: …; it may have taken effect | failed 1 before · write: …; it may have taken effect | = | failed 1 before · not converged: it still exists after it was deleted | failed 1 before · write answered 200 with an error: a web page, not JSON: <!doctype html><title>Sign in</title><p>Please sign in.</p>
garbage html   | applied, once   | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after | failed 1 after · write answered 200 with an error: a web page, not JSON: <!doctype html><title>Sign in</title><p>Please sign in.</p>
garbage html   | applied, always | changed 1 after | failed 1 after · write: …; it may have taken effect | = | changed 1 after | failed 1 after · write answered 200 with an error: a web page, not JSON: <!doctype html><title>Sign in</title><p>Please sign in.</p>
garbage html   | verify, always  | failed 1 after · unverified: read: … | = | = | = | changed 1 after
garbage shape  | list, always    | failed 0 before · list: … | = | changed 1 after | = | =
garbage shape  | write, always   | failed 1 before · not converged: it does not exist after it was written | failed 1 before · not converged: it still differs after it was written: default_server_port, health_monitor_refs | failed 1 before · not converged: it still differs after it was written: dns_configuration.search_domain | failed 1 before · not converged: it still exists after it was deleted | changed 1 before
garbage shape  | applied, always | changed 1 after | = | = | = | =
`;

type Outcomes = Readonly<Partial<Record<Errand, string>>>;

export interface Row {
  readonly kind: string;
  readonly moment: string;
  readonly run: Outcomes;
  /** Absent where a check never comes: it does not write. */
  readonly check: Outcomes | undefined;
}

const ERRANDS = ['create', 'update', 'system', 'remove'] as const;

export const ROWS = rowsOf(TABLE, ERRANDS);
export const SESSION_ROWS = rowsOf(SESSION_TABLE, [...ERRANDS, 'patch']);

function rowsOf(table: string, errands: readonly Errand[]): readonly Row[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [kind = '', moment = '', ...cells] = line.split('|').map((cell) => cell.trim());
      const check = cells[errands.length];
      const checks = check === undefined ? undefined : outcomes(check.split(' ; '), errands);
      return { kind, moment, run: outcomes(cells, errands), check: checks };
    });
}

function outcomes(cells: readonly string[], errands: readonly Errand[]): Outcomes {
  let last = '';
  return Object.fromEntries(
    errands.map((errand, at) => {
      const cell = cells[at] ?? '=';
      if (cell !== '=') last = cell;
      return [errand, last];
    }),
  );
}

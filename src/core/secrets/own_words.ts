/**
 * Words that Evenkeel itself prints: in messages, as keys and enumerated values of JSON, as names of modules and options. A secret
 * equal to one of them is masked only where it is the whole value; otherwise every message with the word would be garbled.
 */
const OWN_WORDS: ReadonlySet<string> = new Set(
  `
abort about above absent action added address admin administrator after again alive allow allows alone already always anew another ansible answer
answered answers anything application applied apply args argument arguments around asked asks assert attempt attempts attribute authentication back
backup base basic batch batches before begin beginning begins begun behind being belongs beside between block body bool boolean both braces break byte
bytes call calls cannot carried case cause certificate change changed changes character characters check checked checks child children choice choices
chosen circle clear close closed cloud cluster code collection collections colon color colours column comes command comment compared completed
condition config configuration confirm connect connection contacted content continue control controller controllers copy could count counts create
created credentials ctrl damaged data debug declared declined decrypted deep default defaults defined delay delegate delegated delete deleted
deprecated detail details dict diff digits document does domain done drain during each edge effect else elsewhere empty encoding encrypt encrypted
ended ends entry environment environments error errors evenkeel event events every example exec executable exist exists exit expected export
expression extra fact facts fail failed fails failure failures false field fields file files fill filter find fine finish finished first flag fleet
flush folder followed force forgotten forks form format found free from function gate gave give given gives goes gone group groups halted handler
handlers have head header headers helper here hidden hint hold holds host hostname hosts hostvars http https ignore ignored import include included
includes index info input inside instead integer intended interrupted into invalid inventory invoke item items itself join journal json keep kept
keyword kind known knows label large largest last later latin least leave left length letters levels library like limit line linear lines lint list
listen lists live load loaded local locate lockout login long longer look looked looks lookup loop lost machine made magic main make makes malformed
many mapping mappings match matches mean meaning means message meta method middle missing mode model module modules more most must name named names
needed needs neither nested network networks never newest next none noop nothing notified notify null number numbers object objects omit once ones
only open operator option options order other others outcome output over oversized palette parameter parameters params pass passed passes password
passwords patch path paths pattern pause percentage pinned pipe place plain plan play playbook playbooks plays pool port portal post prefix present
print prints private problem problems process program programs project prompt properties proto proxy public python query quiet quote reach reached
read reading reads reason recap record refused register registered relative remove removed repeat repeatable replace report request requests require
required rerun rescue rescued reset resource rest result results resume retried retry reverse right role roles rollback rollout root round rounds rule
running runs same says script search second seconds secret secrets seen sensitive sent sequence serial servers sets settings settled several severity
shared shell short show showed shows sign signal signs simulate simulated simulation since single singleton size skip skipped somebody something sort
sorted source sources speak spec stage stand stands start started starts state stats status stay stays stderr stdin step steps still stop stopped
strategy strict string succeeded success successful such supported system tags take takes target task tasks template tenant terminal test text texts
than that their them then there these they this those throttle throttled through time timeout title together token told total totals true trust twice
type typed under undo ungrouped unknown unless unreachable unsafe unstarted until untrusted update updated used user username users uuid valid
validate value values variable variables vars vault verbosity verified verify version wait waiting wants warning warnings were what when where whether
which while whole whose with within without words work would write writes written wrong wrote yaml your
`
    .trim()
    .split(/\s/),
);

export function isOwnWord(text: string): boolean {
  return OWN_WORDS.has(text.toLowerCase());
}

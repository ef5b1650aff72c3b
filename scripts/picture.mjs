// Makes docs/run.svg from a real run in a real pseudo-terminal: `npm run picture`. 200 simulated controllers, one of them changed by hand
// before, two that refuse a request.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pty from '@lydell/node-pty';

const COLUMNS = 112;
const ROWS = 40;
const CELL = { width: 8.4, height: 18 };
const COLOURS = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: '#8b949e',
};
const PLAIN = '#e6edf3';

const FILES = {
  'evenkeel.yml': 'inventory: inventory.yml\n',
  'inventory.yml': `all:
  vars: { controller_url: 'https://{{ inventory_hostname }}', controller_api_version: 22.1.3 }
  children:
    emea: { hosts: { 'lb[001:120]': }, vars: { domain: emea.example } }
    apac: { hosts: { 'lb[121:170]': }, vars: { domain: apac.example } }
    amer: { hosts: { 'lb[171:200]': }, vars: { domain: amer.example } }
    full:
      hosts: { lb042: , lb117: }
      vars: { controller_simulation: { faults: [{ type: answer, status: 400, body: { error: too many clouds }, when: { method: POST } }] } }
`,
  'rollout.yml': `- name: Roll out
  hosts: all
  tasks:
    - name: DNS is as agreed
      system_config:
        dns_configuration: { search_domain: '{{ domain }}' }
    - name: The cloud exists
      cloud_present: { name: edge, mtu: 9000 }
`,
};
const BY_HAND = 'task lb007 -m system_config -a {"dns_configuration":{"search_domain":"corp.example"}} --simulate';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'dist/main.js');
const cwd = mkdtempSync(path.join(tmpdir(), 'evenkeel-picture-'));
const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color' };
for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(cwd, name), text);
execFileSync(process.execPath, [main, ...BY_HAND.split(' ')], { cwd, env });
const command = 'evenkeel run rollout.yml --diff --simulate';
const words = [main, ...command.split(' ').slice(1)];
const terminal = pty.spawn(process.execPath, words, { cwd, cols: COLUMNS, rows: ROWS, env });
let output = `\x1b[90m$\x1b[0m ${command}\r\n`;
terminal.onData((data) => (output += data));
await new Promise((resolve) => terminal.onExit(resolve));
rmSync(cwd, { recursive: true });
writeFileSync(path.join(root, 'docs/run.svg'), toSvg(screenOf(output)));

/** The final content of the screen: rows of cells. Interprets the few sequences that listr2 and the report write. */
function screenOf(text) {
  const rows = [[]];
  let [row, column, style] = [0, 0, { colour: PLAIN, bold: false, dim: false }];
  // oxlint-disable-next-line no-control-regex -- terminals use control characters
  const sequence = /\x1b\[([?\d;]*)([A-Za-z])|\x1b[78=>]|([\s\S])/gu;
  for (const [, parameters = '', final, character] of text.matchAll(sequence)) {
    const count = Number(parameters) || 1;
    if (final === 'm') style = restyled(style, parameters);
    else if (final === 'A') row = Math.max(0, row - count);
    else if (final === 'B') row += count;
    else if (final === 'G') column = count - 1;
    else if (final === 'K') rows[row] = parameters === '2' ? [] : (rows[row] ?? []).slice(0, column);
    else if (final === 'J') rows.splice(row, Infinity, (rows[row] ?? []).slice(0, column));
    else if (character === '\n') row += 1;
    else if (character === '\r') column = 0;
    else if (character !== undefined) (rows[row] ??= [])[column++] = { character, ...style };
    rows[row] ??= [];
  }
  return Array.from(rows, (cells) => cells ?? []);
}

function restyled(style, parameters) {
  for (const code of parameters.split(';').map(Number)) {
    if (code === 0) style = { colour: PLAIN, bold: false, dim: false };
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 39) style = { ...style, colour: PLAIN };
    else if (COLOURS[code]) style = { ...style, colour: COLOURS[code] };
  }
  return style;
}

function toSvg(rows) {
  while (rows.length > 0 && rows.at(-1).every((cell) => !cell || cell.character === ' ')) rows.pop();
  const [width, height] = [Math.ceil(COLUMNS * CELL.width) + 32, rows.length * CELL.height + 56];
  const lines = rows.map(
    (cells, index) => `<text x="16" y="${52 + index * CELL.height}" xml:space="preserve">${spans(cells)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
${lines.join('\n')}
</svg>
`;
}

function spans(cells) {
  const runs = [];
  for (const cell of Array.from(cells, (one) => one ?? { character: ' ', colour: PLAIN })) {
    const key = `fill="${cell.colour}"${cell.bold ? ' font-weight="bold"' : ''}${cell.dim ? ' opacity="0.65"' : ''}`;
    if (runs.at(-1)?.key === key) runs.at(-1).text += cell.character;
    else runs.push({ key, text: cell.character });
  }
  return runs
    .map(({ key, text }) => `<tspan ${key}>${text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</tspan>`)
    .join('');
}

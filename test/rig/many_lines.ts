import { Outlet } from '../../src/reporting/output/outlet.js';

/** Writes many lines to stdout, and reports the end on stderr. */
async function main(): Promise<void> {
  const outlet = new Outlet(process.stdout);
  const number = Number(process.argv[2]);
  for (let line = 1; line <= number; line++) {
    outlet.write(`line ${line}\n`);
    if (line % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await outlet.close();
  process.stderr.write('closed\n');
}

void main();

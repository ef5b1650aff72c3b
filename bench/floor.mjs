// The floor: what a run costs when nothing but its requests is left. A bare undici client sends to each controller exactly
// what `playbook.yml` makes evenkeel send, so the ratio of the two is the price of everything else.
// usage: node floor.mjs FLEET.json write|read [CONTROLLERS_AT_ONCE]
import fs from 'node:fs';
import tls from 'node:tls';
import { Agent, request } from 'undici';

const [file, mode, atOnce = '50'] = process.argv.slice(2);
const { urls, ca, username, password, cloud, system } = JSON.parse(fs.readFileSync(file, 'utf8'));
// One context for all: reading the authority for each connection costs 15 % more.
const secureContext = tls.createSecureContext({ ca });
const signedIn = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  'x-vendor-version': '22.1.3',
};
const withBody = { ...signedIn, 'content-type': 'application/json' };

async function exchange(dispatcher, url, method, value) {
  const body = value === undefined ? null : JSON.stringify(value);
  const answer = await request(url, { dispatcher, method, body, headers: body === null ? signedIn : withBody });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${await answer.body.text()}`);
  return answer.body.json();
}

async function write(url, dispatcher) {
  const clouds = `${url}/api/cloud/`;
  const byName = `${clouds}?name=${encodeURIComponent(cloud.name)}`;
  const { results } = await exchange(dispatcher, byName, 'GET');
  if (results.length === 0) await exchange(dispatcher, clouds, 'POST', cloud);
  else await exchange(dispatcher, clouds + results[0].uuid, 'PUT', cloud);
  await exchange(dispatcher, byName, 'GET');
  const configuration = `${url}/api/systemconfiguration`;
  const current = await exchange(dispatcher, configuration, 'GET');
  await exchange(dispatcher, configuration, 'PUT', { ...current, ...system });
  await exchange(dispatcher, configuration, 'GET');
}

async function read(url, dispatcher) {
  await exchange(dispatcher, `${url}/api/cloud/?name=${encodeURIComponent(cloud.name)}`, 'GET');
  await exchange(dispatcher, `${url}/api/systemconfiguration`, 'GET');
}

const visit = mode === 'write' ? write : read;
const waiting = urls.values();

async function work() {
  for (const url of waiting) {
    const dispatcher = new Agent({ connect: { secureContext }, connections: 1, keepAliveTimeout: 30_000 });
    await visit(url, dispatcher);
    await dispatcher.close();
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, work));

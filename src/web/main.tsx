import { render, type JSX } from 'preact';
import { readPage, type Page } from '../reporting/page/format/page.js';
import { RunPage } from './run_page.js';
import { ComparePage } from './ui/compare.js';
import { useLivePage } from './ui/fetched.js';
import { Frame, Loaded } from './ui/frame.js';
import { ControllerPage, PlanList, PlanPage } from './ui/plans.js';
import { RunList } from './ui/run_list.js';

/** The page of a run on the server of `evenkeel ui`. */
function LiveRun({ id }: { readonly id: string }): JSX.Element {
  const fetched = useLivePage(id);
  if (fetched.status === 'ready') return <RunPage page={fetched.value} isServed={true} lost={fetched.lost} />;
  return (
    <Frame title={`Run ${id}`}>
      <Loaded fetched={fetched}>{() => null}</Loaded>
    </Frame>
  );
}

function served(): JSX.Element {
  const [, area, name = '', other = ''] = location.pathname.split('/');
  if (area === 'runs' && name !== '') return <LiveRun id={name} />;
  if (area === 'compare') return <ComparePage before={name} after={other} />;
  if (area === 'plans') return name === '' ? <PlanList /> : <PlanPage id={name} />;
  if (area === 'controllers') return <ControllerPage name={decodeURIComponent(name)} />;
  return <RunList />;
}

async function content(): Promise<JSX.Element> {
  if (document.querySelector('#data') === null) return served();
  try {
    return <RunPage page={await pageInFile()} isServed={false} />;
  } catch (error) {
    return <p class="broken">This report cannot be shown: {String(error)}</p>;
  }
}

const root = document.querySelector('#page');
if (root !== null) render(await content(), root);

/** The data in a report: compressed, as text. @throws Error if there is none, or it is damaged */
async function pageInFile(): Promise<Page> {
  return readPage(await decompressed(decodeBytes(document.querySelector('#data')?.textContent ?? '')));
}

function decodeBytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

async function decompressed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

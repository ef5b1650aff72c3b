import { render, type JSX } from 'preact';
import { pageInFile } from './data/load.js';
import { RunPage } from './run_page.js';
import { ControllerPage } from './ui/controller.js';
import { Frame, Loaded } from './ui/frame.js';
import { useLivePage } from './ui/live.js';
import { PlanList, PlanPage } from './ui/plans.js';
import { RunList } from './ui/run_list.js';

/** The page of a run on the server of `evenkeel ui`. */
function LiveRun({ id }: { readonly id: string }): JSX.Element {
  const fetched = useLivePage(id);
  if (fetched.status === 'ready') return <RunPage page={fetched.value} isServed={true} />;
  return (
    <Frame title={`Run ${id}`}>
      <Loaded fetched={fetched}>{() => null}</Loaded>
    </Frame>
  );
}

function served(): JSX.Element {
  const [, area, name = ''] = location.pathname.split('/');
  if (area === 'runs' && name !== '') return <LiveRun id={name} />;
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

import { render } from 'preact';
import { pageInFile } from './data/load.js';
import { RunPage } from './run_page.js';

const root = document.querySelector('#page');
if (root !== null) {
  pageInFile().then(
    (page) => {
      render(<RunPage page={page} />, root);
    },
    (error: unknown) => {
      render(<p class="broken">This report cannot be shown: {String(error)}</p>, root);
    },
  );
}

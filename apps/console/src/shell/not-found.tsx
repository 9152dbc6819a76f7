import { Link } from '@tanstack/react-router';
import { buttonStyle } from '../ui/button.js';
import { Page, Panel } from '../ui/page.js';
import { Empty } from '../ui/states.js';

/** Shown at an address that no view has. */
export const NotFound = () => (
  <Page title="Not found">
    <Panel>
      <Empty title="There is no view at this address">
        <Link to="/" className={buttonStyle()}>
          Overview
        </Link>
      </Empty>
    </Panel>
  </Page>
);

import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { Notice } from '../parts/problem.tsx';

/** Replaces a page that failed. The menu stays, and other pages work. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page failed" lead="The other pages still work.">
      <Notice kind="bad">
        <p>
          <strong>
            {error instanceof Error && error.message !== '' ? error.message : 'An unknown error occurred.'}
          </strong>
        </p>
        <p>Show it again. If it fails each time, report this message to the operator of the service.</p>
      </Notice>
      <div className="actions">
        <Button kind="primary" onPress={reset}>
          Show it again
        </Button>
        <Link to="/">Go to the home page</Link>
      </div>
    </Page>
  );
}

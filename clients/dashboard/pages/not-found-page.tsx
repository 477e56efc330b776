import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';

/** For an unknown URL. */
export function NotFoundPage() {
  return (
    <Page title="Page not found" lead="There is no page at this address.">
      <p>
        <Link to="/">Go to the home page</Link>
      </p>
    </Page>
  );
}

import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { Notice } from '../parts/problem.tsx';

type NoPageProps = {
  readonly title: string;
  readonly lead: string;
  /** What is wrong, and what to do about it. */
  readonly notice: ReactNode;
  /** What helps, before the way home. */
  readonly children?: ReactNode;
};

/** Stands where a page would be. The menu stays, and other pages work. */
function NoPage({ title, lead, notice, children }: NoPageProps) {
  return (
    <Page title={title} lead={lead}>
      {notice}
      <div className="actions">
        {children}
        <Link to="/">Go to the home page</Link>
      </div>
    </Page>
  );
}

/** Replaces a page that failed. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <NoPage
      title="This page failed"
      lead="The other pages still work."
      notice={
        <Notice kind="bad">
          <p>
            <strong>
              {error instanceof Error && error.message !== '' ? error.message : 'An unknown error occurred.'}
            </strong>
          </p>
          <p>Show it again. If it fails each time, report this message to the operator of the service.</p>
        </Notice>
      }
    >
      <Button kind="primary" onPress={reset}>
        Show it again
      </Button>
    </NoPage>
  );
}

/** For an address without a page. */
export function NotFoundPage() {
  return (
    <NoPage
      title="Page not found"
      lead="There is no page at this address."
      notice={
        <Notice>
          <p>Check the address, or choose a page in the menu. “Find or do” searches all pages.</p>
        </Notice>
      }
    />
  );
}

/** For the address of a paymaster that the account does not have. */
export function NoPaymasterPage() {
  return (
    <NoPage
      title="Paymaster not found"
      lead="There is no paymaster at this address."
      notice={
        <Notice>
          <p>This paymaster does not exist in this account. It may belong to another account of yours.</p>
        </Notice>
      }
    >
      <Link to="/paymasters" className="button primary">
        Show all paymasters
      </Link>
    </NoPage>
  );
}

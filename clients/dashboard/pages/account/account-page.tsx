import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Value } from '../../parts/value.tsx';
import { AuthTokenForm } from './auth-token-form.tsx';
import { AuthTokenList } from './auth-token-list.tsx';
import { BudgetForm } from './budget-form.tsx';
import { BudgetList } from './budget-list.tsx';
import { SessionList } from './session-list.tsx';

/** The account, where somebody is signed in to it, and the authTokens with which programs act for it. */
export function AccountPage() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Page title="Account" lead="Who you are here, and the authTokens with which your programs act for you.">
      {session ? (
        <Card title="Signed in">
          <Facts
            facts={[
              ['Account', session.name],
              ['Account id', <Value key="id" text={session.accountId} what="account id" />],
              session.wallet === undefined
                ? undefined
                : ['Wallet', <Value key="wallet" text={session.wallet} what="wallet address" />],
              ['By', session.authTokenId === undefined ? 'a wallet’s signature' : 'an authToken'],
              session.expiresAt === undefined
                ? undefined
                : ['Session ends', <Moment key="end" at={session.expiresAt} />],
            ]}
          />
        </Card>
      ) : null}
      <Card title="Budgets" lead="How much your paymasters may sponsor together, in USD, on whichever chains.">
        <BudgetList />
      </Card>
      <Card title="New budget" lead="What was sponsored in its first window before counts in it.">
        <BudgetForm />
      </Card>
      <Card title="Sessions" lead="Where somebody is signed in to this account now.">
        <SessionList />
      </Card>
      <Card
        title="New authToken"
        lead="An authToken stands for the account, as far as it may. It belongs on your servers, never in a browser or an app."
      >
        <AuthTokenForm />
      </Card>
      <Card title="authTokens">
        <AuthTokenList />
      </Card>
    </Page>
  );
}

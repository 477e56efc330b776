import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/session.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Value } from '../../parts/value.tsx';
import { AuthTokenForm } from './auth-token-form.tsx';
import { AuthTokenList } from './auth-token-list.tsx';
import { SessionList } from './session-list.tsx';

/** The account's sessions, and the authTokens for programs. */
export function AccountPage() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Page title="Account" lead="Your session, and the authTokens that your programs use." doc="account">
      {session ? (
        <Card title="Signed in">
          <Facts
            facts={[
              ['Account', session.name],
              ['Account id', <Value key="id" text={session.accountId} what="account id" />],
              session.wallet === undefined
                ? undefined
                : ['Wallet', <Value key="wallet" text={session.wallet} what="wallet address" />],
              ['Method', session.authTokenId === undefined ? 'Signature of a wallet' : 'authToken'],
              session.expiresAt === undefined
                ? undefined
                : ['Session ends', <Moment key="end" at={session.expiresAt} />],
            ]}
          />
        </Card>
      ) : null}
      <Card title="Sessions" lead="Active sessions of this account.">
        <SessionList />
      </Card>
      <Card
        title="authTokens"
        lead="An authToken gives programs access to the account. Use it only on your servers, never in a browser or an app."
        actions={
          <PanelButton text="New authToken" needs={['manage']} title="New authToken">
            {(close) => <AuthTokenForm onDone={close} />}
          </PanelButton>
        }
      >
        <AuthTokenList />
      </Card>
    </Page>
  );
}

import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Session, SignInNonce } from '@tollfree/contract/sign-in/session';
import { useEffect, useState } from 'react';
import { routes } from '../../api/routes.ts';
import { beginAgain, isSameUser, sessionKey } from '../../api/session.ts';
import { Card } from '../../parts/card.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { setTitle } from '../../parts/window-title.ts';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { type Wallet, walletProblem } from '../../wallet/wallets.ts';
import { invitedTo } from '../members/invitation-link.ts';

type SignInPageProps = {
  /** The session that has ended by itself while its page was open. */
  readonly ended: Session | undefined;
};

/** Continues with a new session; for another user nothing of the page that the ended one has left is kept. */
function beginSession(client: QueryClient, session: Session, ended: Session | undefined): void {
  if (ended === undefined || isSameUser(session, ended)) client.setQueryData(sessionKey, session);
  else beginAgain();
}

/** The first page: sign-in with a wallet, or with an authToken. */
export function SignInPage({ ended }: SignInPageProps) {
  useEffect(() => {
    setTitle('Sign in · Tollfree');
  }, []);
  return (
    <main className="alone">
      <p className="brand">
        <img src="/dashboard/icon.svg" alt="" />
        Tollfree
      </p>
      <div>
        <h1>Sign in</h1>
        <p className="lead">
          {ended !== undefined
            ? 'Your session has ended. Sign in again as the same user to continue where you were.'
            : 'Sponsor your users’ gas: decide what is sponsored, see why, and keep track of the cost.'}
        </p>
      </div>
      <Card title="With a wallet">
        <WalletSignIn ended={ended} />
        <SignUpNote />
      </Card>
      <Card title="With an authToken" lead="It is sent once and not stored in the browser.">
        <TokenForm ended={ended} />
      </Card>
    </main>
  );
}

/** The operator's sign-up mode. */
const signUpQuery = queryOptions({
  queryKey: ['sign-up'],
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await routes.session.readSignUp()).signUp,
});

const words: Readonly<Record<SignInNonce['signUp'], string>> = {
  open: 'New here? Signing in with a wallet gives you an account.',
  invited: 'New accounts are for invited wallets only. Ask the operator of this service to invite yours.',
  closed: 'This service accepts no new accounts. Wallets that have one can sign in.',
};

/** Who gets an account here. */
function SignUpNote() {
  const { data, error } = useQuery(signUpQuery);
  if (error) return <Problem error={error} />;
  if (invitedTo() !== undefined) return <p className="muted">Sign in with the wallet that was invited.</p>;
  return <p className="muted sign-up-note">{data === undefined ? '' : words[data]}</p>;
}

/** Signs in with an authToken, which is discarded after sending. */
function TokenForm({ ended }: SignInPageProps) {
  const client = useQueryClient();
  const [authToken, setAuthToken] = useState('');
  const signIn = useMutation({
    meta: { signsIn: true },
    gcTime: 0,
    mutationFn: (token: string) => routes.session.create({ body: { authToken: token } }),
    onSuccess: (session) => beginSession(client, session, ended),
    onSettled: () => setAuthToken(''),
  });
  return (
    <FieldForm
      savesNothing
      action={signIn}
      submit="Sign in"
      kind="plain"
      needs={[]}
      onSubmit={() => signIn.mutate(authToken.trim())}
    >
      <TextInput label="authToken" type="password" isRequired value={authToken} onChange={setAuthToken} />
    </FieldForm>
  );
}

function WalletSignIn({ ended }: SignInPageProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    meta: { signsIn: true },
    mutationFn: (wallet: Wallet) => signInWithWallet(wallet, invitedTo()),
    onSuccess: (session) => {
      beginSession(client, session, ended);
      // An invitation is accepted by now.
      return ended === undefined ? navigate({ to: '.', search: {} }) : undefined;
    },
  });
  return (
    <div className="stack">
      <WalletList
        action="Sign in with"
        isPrimary
        isPending={signIn.isPending}
        onChoose={(wallet) => signIn.mutate(wallet)}
      />
      {signIn.isPending ? <p role="status">Confirm in your wallet …</p> : null}
      <Problem error={walletProblem(signIn.error)} />
    </div>
  );
}

/**
 * Sign in with Ethereum (EIP-4361): the wallet signs a message with a nonce of the service. `accountId` is the account to
 * sign in to; without it the service chooses among the wallet's accounts, or creates one.
 */
async function signInWithWallet(wallet: Wallet, accountId?: string): Promise<Session> {
  const { connectWallet, createSiweMessage } = await import('../../wallet/wallet-client.ts');
  const { client, address, sign } = await connectWallet(wallet);
  const nonce = await routes.session.createNonce();
  const message = createSiweMessage({
    address,
    chainId: await client.getChainId(),
    domain: nonce.domain,
    uri: nonce.uri,
    nonce: nonce.nonce,
    version: '1',
    statement: 'Sign in to Tollfree. This costs nothing and moves nothing.',
    issuedAt: new Date(nonce.issuedAt * 1_000),
    expirationTime: new Date(nonce.expiresAt * 1_000),
  });
  const signature = await sign(message);
  return routes.session.create({ body: { message, signature, accountId } });
}

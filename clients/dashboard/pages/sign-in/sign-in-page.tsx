import { useEffect } from 'react';
import { Card } from '../../parts/card.tsx';
import { SignUpNote } from './sign-up-note.tsx';
import { TokenForm } from './token-form.tsx';
import { WalletSignIn } from './wallet-sign-in.tsx';

/** The first page: sign-in with a wallet, or with an authToken. */
export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Tollfree';
  }, []);
  return (
    <main className="alone">
      <p className="brand">
        <img src="/dashboard/icon.svg" alt="" />
        Tollfree
      </p>
      <div>
        <h1>Sign in</h1>
        <p className="lead">Sponsor your users’ gas: decide what is sponsored, see why, and keep track of the cost.</p>
      </div>
      <Card title="With a wallet">
        <WalletSignIn />
        <SignUpNote />
      </Card>
      <Card title="With an authToken" lead="It is sent once and not stored in the browser.">
        <TokenForm />
      </Card>
    </main>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionKey } from '../../api/session.ts';
import { Problem } from '../../parts/problem.tsx';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { walletProblem } from '../../wallet/wallet-problem.ts';
import type { Wallet } from '../../wallet/wallets.ts';
import { invitedTo } from '../members/invitation-link.ts';
import { signInWithWallet } from './sign-in-with-wallet.ts';

/** Signs in with one of the browser's wallets. */
export function WalletSignIn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signIn = useMutation({
    meta: { signsIn: true },
    mutationFn: (wallet: Wallet) => signInWithWallet(wallet, invitedTo()),
    onSuccess: (session) => {
      client.setQueryData(sessionKey, session);
      return navigate({ to: '.', search: {} });
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

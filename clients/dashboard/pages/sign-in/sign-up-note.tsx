import { useQuery } from '@tanstack/react-query';
import type { SignInNonce } from '@tollfree/contract/sign-in/session';
import { Problem } from '../../parts/problem.tsx';
import { invitedTo } from '../members/invitation-link.ts';
import { signUpQuery } from './sign-up-query.ts';

const words: Readonly<Record<SignInNonce['signUp'], string>> = {
  open: 'New here? Signing in with a wallet gives you an account.',
  invited: 'New accounts are for invited wallets only. Ask the operator of this service to invite yours.',
  closed: 'This service accepts no new accounts. Wallets that have one can sign in.',
};

/** Who gets an account here. */
export function SignUpNote() {
  const { data, error } = useQuery(signUpQuery);
  if (error) return <Problem error={error} />;
  if (invitedTo() !== undefined) return <p className="muted">Sign in with the wallet that was invited.</p>;
  return data === undefined ? null : <p className="muted">{words[data]}</p>;
}

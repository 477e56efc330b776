import type { signUpModes } from '@tollfree/contract/sign-in/session';

type SignUpMode = (typeof signUpModes)[number];

const meanings: Readonly<Record<SignUpMode, string>> = {
  open: 'every wallet that signs in gets an account',
  invited: 'a wallet gets an account by signing in once it is invited (tollfree account create --wallet)',
  closed: 'no wallet gets an account by signing in; the operator creates accounts (tollfree account create)',
};

/** Who gets an account by signing in, in words: what `dashboard.signUp` says. */
export function describeSignUp(mode: SignUpMode): string {
  return `Sign-up is ${mode}: ${meanings[mode]}`;
}

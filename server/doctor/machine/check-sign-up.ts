import { describeSignUp } from '../../../clients/cli/describe-sign-up.ts';
import type { Config } from '../../config/config-schema.ts';
import { type Finding, findingsAbout } from '../finding.ts';

/** Checks who gets an account without the operator. */
export function checkSignUp({ dashboard }: Config): readonly Finding[] {
  const { publicUrl, signUp } = dashboard;
  const find = findingsAbout('sign-up');
  if (publicUrl !== undefined) return [find.ok('sign-up', `${describeSignUp(signUp)}.`)];
  if (signUp === 'closed') return [find.ok('sign-up', 'Browser sign-in is off.')];
  const message = `dashboard.signUp is ${signUp}, but without dashboard.publicUrl no one can sign in.`;
  const remedy = 'Set dashboard.publicUrl to the dashboard’s public URL, or remove dashboard.signUp.';
  return [find.warning('sign-up-nowhere', message, remedy)];
}

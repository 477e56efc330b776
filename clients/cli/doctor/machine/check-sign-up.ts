import type { Config } from '../../config/config-schema.ts';
import { describeSignUp } from '../../describe-sign-up.ts';
import { type Finding, findingsAbout } from '../finding.ts';

/** A look at who gets an account without the operator. */
export function checkSignUp({ dashboard }: Config): readonly Finding[] {
  const { publicUrl, signUp } = dashboard;
  const find = findingsAbout('sign-up');
  if (publicUrl !== undefined) return [find.sound('sign-up', `${describeSignUp(signUp)}.`)];
  if (signUp === 'closed') return [find.sound('sign-up', 'Nobody signs in from a browser.')];
  const says = `dashboard.signUp is ${signUp}, but without dashboard.publicUrl nobody signs in.`;
  const remedy = 'Set dashboard.publicUrl to where browsers reach the dashboard, or take dashboard.signUp out.';
  return [find.warning('sign-up-nowhere', says, remedy)];
}

import { mistake } from '../clients/cli/terminal/cli-error.ts';
import type { Result } from '../core/domain/result/result.ts';

/** The value of a result; a refusal ends the command with its message. */
export function accepted<T>(result: Result<T>): T {
  if (!result.ok) throw mistake(result.refusal.message);
  return result.value;
}

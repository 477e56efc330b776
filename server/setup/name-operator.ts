import { applyEdits } from 'jsonc-parser';
import { readConfigFile } from '../config/load-config.ts';
import { editsOf, replaceConfigFile } from '../config/replace-config-file.ts';
import type { Progress } from './service-steps.ts';

/** An account that becomes the dashboard's operator, and those that the configuration file names by now. */
type Operators = { readonly accountId: string; readonly known: readonly string[] };

/**
 * Makes the account the operator where the file names none. An account that a later run adds is a tenant's, so it never
 * becomes one.
 */
export function nameOperator(configFile: string, { accountId, known }: Operators, progress: Progress): void {
  if (known.length > 0) {
    progress.note('operator', 'there', known.join(', '));
    return;
  }
  const { text } = readConfigFile(configFile);
  replaceConfigFile(
    configFile,
    applyEdits(text, editsOf(text, ['dashboard', 'operators'], [accountId])),
    `${configFile} cannot be written. Add "operators": ["${accountId}"] to "dashboard" by hand.`,
  );
  progress.note('operator', 'done', `${accountId} sees the dashboard's operator page after the next start`);
}

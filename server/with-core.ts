import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Core } from '../core/domain/core.ts';
import { loadConfig } from './config/load-config.ts';
import { asOperator } from './process/as-operator.ts';
import { reachCore } from './reach-core.ts';
import { withOwnService } from './with-own-service.ts';

/** Works with the configured running core. */
export async function withCore<T>(flags: Flags, work: (core: Core) => Promise<T>): Promise<T> {
  const { core, close } = reachCore(loadConfig(withOwnService(flags)));
  try {
    return await asOperator(() => work(core));
  } finally {
    close();
  }
}

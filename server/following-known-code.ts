import { statSync } from 'node:fs';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Logger } from '../core/base/logger.ts';
import type { LocalCore } from '../core/local.ts';
import { listedCode } from './account-code/known-code-file.ts';
import { findConfigFile, loadConfig } from './config/load-config.ts';

const betweenLooks = 2_000;

type Chains = NonNullable<ReturnType<typeof loadConfig>['chains']>;

/**
 * Updates the core's known account code whenever its configuration file changes, so that all cores with the same file, or
 * copies of it, know the same code. An unreadable file changes nothing. Everything else in it requires a restart.
 */
export function followKnownCode(
  flags: Flags,
  started: { readonly chains?: Chains | undefined },
  { core, logger }: { readonly core: Pick<LocalCore, 'changeKnownCode'>; readonly logger: Logger },
): { close(): void } {
  const file = findConfigFile(flags);
  if (file === undefined) return { close: () => undefined };
  let seen = versionOf(file);
  let known = describe(started.chains ?? []);
  const look = () => {
    const version = versionOf(file);
    if (version === seen || version === undefined) return;
    seen = version;
    try {
      const { chains = [] } = loadConfig(flags);
      const named = describe(chains);
      const changed = chains.filter(({ chainId }) => named.get(chainId)?.join() !== known.get(chainId)?.join());
      core.changeKnownCode(changed.map(({ chainId, accounts }) => ({ chainId, ...(accounts && { accounts }) })));
      for (const { chainId } of changed) {
        const [before, now] = [known.get(chainId) ?? [], named.get(chainId) ?? []];
        const added = now.filter((entry) => !before.includes(entry));
        const removed = before.filter((entry) => !now.includes(entry));
        logger.info({ chainId, added, removed }, 'The known account code of the configuration is in use');
      }
      known = named;
    } catch (cause) {
      logger.error({ err: cause }, 'The configuration cannot be read again, so the known account code stays unchanged');
    }
  };
  const timer = setInterval(look, betweenLooks);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Changes with the content of a file, also when the file is replaced. Undefined if it does not exist. */
function versionOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** The entries of each chain, for comparison and the log. */
function describe(chains: Chains): ReadonlyMap<number, readonly string[]> {
  return new Map(
    chains.map(({ chainId, accounts }) => [
      chainId,
      listedCode(accounts).map(({ list, entry }) => `${list} ${JSON.stringify(entry)}`),
    ]),
  );
}

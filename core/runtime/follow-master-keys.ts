import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers } from '../base/time/clock.ts';
import { resealSecrets } from '../management/reseal-secrets.ts';
import { createKeyedDigest } from '../store/keyed-digest.ts';
import { asLeader } from '../store/leading.ts';
import { adoptMasterKey } from '../store/master-keys/adopt-master-key.ts';
import { digestMasterKey, type MasterKeys } from '../store/master-keys/check-master-key.ts';
import { createSecretBox } from '../store/secret-box.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';
import type { SealedParts } from './sealed-parts.ts';
import type { OwnedStore } from './watch-writes.ts';

type Parts = {
  readonly store: OwnedStore;
  readonly sealed: SealedParts & { change(keys: MasterKeys): void };
  readonly clock: Clock;
  readonly logger: Logger;
};

/** The master keys of a running service. */
type FollowedMasterKeys = {
  /** Switches to other keys at runtime and seals everything again with the newest; logs if they cannot be used. */
  change(keys: MasterKeys): Promise<void>;
  close(): Promise<void>;
};

/** While this process leads, seals data again that is sealed under an older master key; also after each change. */
export function followMasterKeys({ store, sealed, clock, logger }: Parts, first: MasterKeys): FollowedMasterKeys {
  const reseal = (keys: MasterKeys, needsResealing: boolean): Running =>
    whileLeading(store.leadership, () =>
      startResealing({ store: { ...asLeader(store), needsResealing }, keys, clock, logger }),
    );
  let current = first;
  let resealing = reseal(first, store.needsResealing);
  return {
    change: async (keys) => {
      if (areSame(keys, current)) return;
      try {
        const needsResealing = await adoptMasterKey(store, keys);
        await resealing.close();
        sealed.change(keys);
        current = keys;
        resealing = reseal(keys, needsResealing);
        logger.info({}, 'The master keys of the configuration are in use');
      } catch (cause) {
        logger.error({ err: cause }, 'The master keys could not be read again and stay unchanged');
      }
    },
    close: () => resealing.close(),
  };
}

function areSame(one: MasterKeys, other: MasterKeys): boolean {
  const digests = ({ masterKey, previousMasterKeys = [] }: MasterKeys) =>
    [masterKey, ...previousMasterKeys].map(digestMasterKey).join();
  return digests(one) === digests(other);
}

/** Milliseconds before it begins, and between two attempts. */
const betweenTries = 1_000;
/** Pause between two transactions, in milliseconds, to leave the database to others. */
const betweenSteps = 5;

/** After a change of the master key, seals everything under the newest while the service runs, and logs when done. */
function startResealing(options: {
  readonly store: OwnedStore;
  readonly keys: MasterKeys;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
}): { close(): Promise<void> } {
  const { store, keys, clock, logger, timers = createTimers(clock) } = options;
  if (!store.needsResealing) {
    if ((keys.previousMasterKeys ?? []).length > 0) logger.info({}, 'The previous master keys are no longer needed');
    return { close: async () => undefined };
  }
  let closed = false;
  let failing = false;
  const parts = {
    box: createSecretBox(keys.masterKey, keys.previousMasterKeys),
    digestApiKey: createKeyedDigest(keys.masterKey, 'api-key-digest'),
    newest: digestMasterKey(keys.masterKey),
    isClosed: () => closed,
    pause: () => pause(betweenSteps),
  };
  const trying = repeat(
    { clock, timers },
    betweenTries,
    async () => {
      if (!(await resealSecrets(store, parts))) return;
      logger.info({}, 'Everything is sealed with the newest master key; the previous ones are no longer needed');
      void trying.close();
    },
    (cause) => {
      if (!failing)
        logger.error({ err: cause }, 'Values sealed with previous master keys could not be resealed; trying again');
      failing = true;
    },
  );
  return {
    close: () => {
      closed = true;
      return trying.close();
    },
  };
}

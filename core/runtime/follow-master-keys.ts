import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { asLeader } from '../store/leading/as-leader.ts';
import { adoptMasterKey } from '../store/master-keys/adopt-master-key.ts';
import { digestMasterKey, type MasterKeys } from '../store/master-keys/check-master-key.ts';
import { type Running, whileLeading } from './leading/while-leading.ts';
import type { OwnedStore } from './open-owned-store.ts';
import type { SealedParts } from './sealed-parts.ts';
import { startResealing } from './start-resealing.ts';

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

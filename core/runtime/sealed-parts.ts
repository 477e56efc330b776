import { createManagement, type Management } from '../management/create-management.ts';
import { createSponsorProfiles, type SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { cachedDigest, createKeyedDigest } from '../store/keyed-digest.ts';
import type { MasterKeys } from '../store/master-keys/check-master-key.ts';
import { createSecretBox, type SecretBox } from '../store/secret-box.ts';

/** The parts of the core that use the master keys. */
export type SealedParts = {
  readonly box: SecretBox;
  readonly profiles: SponsorProfiles;
  readonly management: Management;
  digestClient(address: string): string;
};

/** Creates these parts, and replaces them when the keys change. */
export function createSealedParts(
  parts: Omit<Required<Parameters<typeof createManagement>[0]>, 'profiles'>,
  first: MasterKeys,
): SealedParts & { change(keys: MasterKeys): void } {
  const { store, config, clock } = parts;
  const box = (keys: MasterKeys) => createSecretBox(keys.masterKey, keys.previousMasterKeys);
  const boxes = changeable(box(first));
  const profiles = changeable(createSponsorProfiles({ store, clock, ...first }));
  const management = (keys: MasterKeys) =>
    createManagement({ ...parts, profiles: profiles.facade, config: { ...config, ...keys } });
  const managements = changeable(management(first));
  const clientDigest = ({ masterKey }: MasterKeys) =>
    cachedDigest(createKeyedDigest(masterKey, 'client-address-digest'));
  let digestClient = clientDigest(first);
  return {
    box: boxes.facade,
    profiles: profiles.facade,
    management: managements.facade,
    digestClient: (address) => digestClient(address),
    change: (keys) => {
      boxes.change(box(keys));
      profiles.change(createSponsorProfiles({ store, clock, ...keys }));
      managements.change(management(keys));
      digestClient = clientDigest(keys);
    },
  };
}

/** Functions that can all be replaced at once while others hold references to them. */
type Changeable<T> = { readonly facade: T; change(next: T): void };

/** An object with the functions of `first`, replaced by those of another object at each change. */
function changeable<T extends object>(first: T): Changeable<T> {
  let current = first;
  const call = (name: string) =>
    // The names are those of T, whose members are functions that need no `this`.
    [
      name,
      (...args: readonly unknown[]) =>
        (current as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(...args),
    ];
  return {
    // Each name has a function of its own type, which TypeScript cannot express here.
    facade: Object.fromEntries(Object.keys(first).map(call)) as T,
    change: (next) => {
      current = next;
    },
  };
}

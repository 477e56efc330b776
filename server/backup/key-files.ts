import type { Config } from '../config/config-schema.ts';
import type { KeySection } from '../config/signer-schema.ts';

/** The files that a copy of the database needs to be usable: master keys, and the chains' signing keys. */
export function keyFiles({ masterKeyFile, previousMasterKeyFiles, chains = [] }: Config): readonly string[] {
  const signers = chains.flatMap((chain) => chain.signers ?? chain.signer ?? []);
  const places = signers.flatMap(({ standIns = [], ...signer }) => [signer, ...standIns]);
  const files = [masterKeyFile, ...previousMasterKeyFiles, ...places.flatMap(filesOf)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** For a remote key, the credentials of this service. */
function filesOf({ keystoreFile, passwordFile, ethSign }: KeySection): readonly (string | undefined)[] {
  return [keystoreFile, passwordFile, ethSign?.tokenFile, ethSign?.caFile];
}

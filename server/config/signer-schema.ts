import { z } from 'zod';
import { addressSchema } from './value-schemas.ts';

const maxStandIns = 3;

const filePath = z.string().min(1, 'must be the path of a file');
const word = z.string().min(1).max(2_048);

const isOnThisMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** URLs for a plain-text token, or for signing requests to a cloud, must not leave this machine unencrypted. */
const closedUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).refine((text) => {
  const url = URL.parse(text);
  return url === null || url.protocol === 'https:' || isOnThisMachine(url);
}, 'must be an https URL, or http on localhost');

const ethSignSchema = z
  .strictObject({
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
    address: addressSchema,
    tokenFile: filePath.optional(),
    caFile: filePath.optional(),
  })
  .refine(
    ({ url, tokenFile }) => tokenFile === undefined || closedUrl.safeParse(url).success,
    'must have an https url, or http on localhost, if there is a tokenFile',
  );

const awsKmsSchema = z.strictObject({
  keyId: word,
  region: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be a region like eu-central-1'),
  endpoint: closedUrl.optional(),
  address: addressSchema,
});

const keyVersionForm =
  /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;

const googleKmsSchema = z.strictObject({
  keyVersion: word.regex(
    keyVersionForm,
    'must be a key version: projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/1',
  ),
  endpoint: closedUrl.optional(),
  address: addressSchema,
});

const keyFields = {
  keystoreFile: filePath.optional(),
  passwordFile: filePath.optional(),
  ethSign: ethSignSchema.optional(),
  awsKms: awsKmsSchema.optional(),
  googleKms: googleKmsSchema.optional(),
};

type KeyFields = { readonly [Name in keyof typeof keyFields]?: unknown };

function hasOnePlace({ keystoreFile, ethSign, awsKms, googleKms }: KeyFields): boolean {
  return [keystoreFile, ethSign, awsKms, googleKms].filter((place) => place !== undefined).length === 1;
}

function hasPasswordForKeystore({ keystoreFile, passwordFile }: KeyFields): boolean {
  return passwordFile === undefined || keystoreFile !== undefined;
}

const onePlace = 'must have one of keystoreFile, ethSign, awsKms and googleKms';
const passwordAlone = 'must have passwordFile only with a keystoreFile';

const keySchema = z.strictObject(keyFields).refine(hasOnePlace, onePlace).refine(hasPasswordForKeystore, passwordAlone);

/** A signing key: its location, and fallbacks with the same key. */
export const signerSchema = z
  .strictObject(
    {
      ...keyFields,
      standIns: z.array(keySchema).min(1, 'must have at least one signer').max(maxStandIns).optional(),
    },
    {
      error: ({ code, input }) =>
        code === 'invalid_type' && typeof input === 'string' ? `is "${input}", which is no name in signers` : undefined,
    },
  )
  .refine(hasOnePlace, onePlace)
  .refine(hasPasswordForKeystore, passwordAlone);

export type KeySection = z.output<typeof keySchema>;
export type SignerSection = z.output<typeof signerSchema>;

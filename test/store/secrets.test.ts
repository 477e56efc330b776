import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import { createKeyedDigest } from '../../core/store/keyed-digest.ts';
import { checkMasterKey } from '../../core/store/master-keys/check-master-key.ts';
import { createSecretBox } from '../../core/store/secret-box.ts';
import { openSqliteStore } from '../../core/store/sqlite/open-sqlite-store.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { temporaryFolder } from './temporary-folder.ts';

const masterKey = new Secret<Uint8Array>(randomBytes(32));
const otherKey = new Secret<Uint8Array>(randomBytes(32));

describe('a sealed value', () => {
  const box = createSecretBox(masterKey);

  test('opens to the text that was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, row) => {
        expect(box.open(box.seal(text, row), row)).toBe(text);
      }),
    );
  });

  test('is another one each time', () => {
    expect(box.seal('secret', 'row')).not.toEqual(box.seal('secret', 'row'));
  });

  test('does not open in another row or under another master key', () => {
    const sealed = box.seal('secret', 'row 1');
    expect(() => box.open(sealed, 'row 2')).toThrow();
    expect(() => createSecretBox(otherKey).open(sealed, 'row 1')).toThrow();
  });

  test('does not open with any byte changed or cut off', () => {
    const sealed = box.seal('secret', 'row');
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, 'row'), `byte ${index}`).toThrow();
      expect(() => box.open(sealed.subarray(0, index), 'row'), `${index} bytes`).toThrow();
    }
  });
});

describe('a keyed digest', () => {
  test('depends on the text, the purpose and the master key', () => {
    const digests = [
      createKeyedDigest(masterKey, 'api-key-digest')('one'),
      createKeyedDigest(masterKey, 'api-key-digest')('two'),
      createKeyedDigest(masterKey, 'auth-token-digest')('one'),
      createKeyedDigest(otherKey, 'api-key-digest')('one'),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(createKeyedDigest(masterKey, 'api-key-digest')('one')).toBe(digests[0]);
  });
});

describe('the master key', () => {
  test('of a wrong length is refused', () => {
    for (const length of [0, 16, 31, 33]) {
      expect(() => createSecretBox(new Secret(new Uint8Array(length))), `${length} bytes`).toThrow(StoreError);
    }
  });

  test('must be the one the database was first used with', async () => {
    const store = await openSqliteStore(join(temporaryFolder(), 'tollfree.db'));
    onTestFinished(() => store.close());
    await checkMasterKey(store, { masterKey });
    await checkMasterKey(store, { masterKey });
    await expect(checkMasterKey(store, { masterKey: otherKey })).rejects.toThrow('The master key does not match');
  });
});

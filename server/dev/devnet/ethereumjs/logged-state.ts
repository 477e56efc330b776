import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, bytesToHex } from '@ethereumjs/util';
import { keccak256 } from 'viem';

type StoredAccount = { readonly nonce: bigint; readonly balance: bigint; readonly codeHash: Uint8Array };

/** One entry of a map, before and after. Undefined where the map has none. */
type Change = {
  readonly map: Map<string, unknown>;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
};

const nothing = new Uint8Array(0);
/** What a sender looks like that delegates to an account without code (EIP-7702). */
const delegation = Uint8Array.from([0xef, 0x01, 0x00, ...Array<number>(20).fill(0)]);

/**
 * The accounts of a chain in memory, with a log of every change. Snapshots, older states and reverted frames are positions
 * in the log. Nothing is hashed, so there are no state roots and no proofs.
 */
export class LoggedState implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  readonly #accounts = new Map<string, StoredAccount>();
  readonly #codes = new Map<string, Uint8Array>();
  readonly #storage = new Map<string, Map<string, Uint8Array>>();
  readonly #log: Change[] = [];
  #checkpoints: number[] = [];
  #senderWithCode: string | undefined;

  constructor() {
    const originals = new Map<string, Uint8Array>();
    this.originalStorageCache = {
      get: async (address, slot) => {
        const key = `${address}${bytesToHex(slot)}`;
        const known = originals.get(key) ?? (await this.getStorage(address, slot));
        originals.set(key, known);
        return known;
      },
      clear: () => originals.clear(),
    };
  }

  /** The number of changes so far. */
  get position(): number {
    return this.#log.length;
  }

  /** Undoes all changes after a position. */
  undoTo(position: number): void {
    for (const { map, key, before } of this.#log.splice(position).reverse()) put(map, key, before);
  }

  /** Runs `read` in the state at a position. Everything later is undone for as long, and what `read` changes is dropped. */
  async at<Read>(position: number, read: () => Promise<Read>): Promise<Read> {
    const later = this.#log.splice(position);
    for (const { map, key, before } of later.toReversed()) put(map, key, before);
    const checkpoints = this.#checkpoints;
    try {
      return await read();
    } finally {
      this.#checkpoints = checkpoints;
      this.undoTo(position);
      for (const change of later) {
        put(change.map, change.key, change.after);
        this.#log.push(change);
      }
    }
  }

  /**
   * Lets an account with code send the next transaction, which EIP-3607 forbids: in a simulation any account may, and an
   * impersonated one. The library asks for the sender's code once before it runs a transaction, and gets a delegation.
   */
  allowSender(address: Address | undefined): void {
    this.#senderWithCode = address?.toString();
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const stored = this.#accounts.get(address.toString());
    return stored === undefined ? undefined : new Account(stored.nonce, stored.balance, undefined, stored.codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    const stored = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.#change(this.#accounts, address.toString(), stored);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#change(this.#accounts, address.toString(), undefined);
    this.#change(this.#codes, address.toString(), undefined);
    await this.clearStorage(address);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    await this.putAccount(address, Object.assign((await this.getAccount(address)) ?? new Account(), fields));
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString();
    if (this.#senderWithCode === key) {
      this.#senderWithCode = undefined;
      return delegation;
    }
    return this.#codes.get(key) ?? nothing;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#change(this.#codes, address.toString(), code.length === 0 ? undefined : code);
    await this.modifyAccountFields(address, { codeHash: keccak256(code, 'bytes') });
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    return this.#storage.get(address.toString())?.get(bytesToHex(slot)) ?? nothing;
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const start = value.findIndex((byte) => byte !== 0);
    this.#change(this.#slotsOf(address), bytesToHex(slot), start === -1 ? undefined : value.slice(start));
  }

  async clearStorage(address: Address): Promise<void> {
    const slots = this.#slotsOf(address);
    for (const slot of [...slots.keys()]) this.#change(slots, slot, undefined);
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#log.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }

  async revert(): Promise<void> {
    const position = this.#checkpoints.pop();
    if (position !== undefined) this.undoTo(position);
  }

  /** All states have the same root: none is computed. */
  async getStateRoot(): Promise<Uint8Array> {
    return new Uint8Array(32);
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return true;
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    throw new Error('There is one state.');
  }

  #slotsOf(address: Address): Map<string, Uint8Array> {
    const key = address.toString();
    const known = this.#storage.get(key) ?? new Map<string, Uint8Array>();
    this.#storage.set(key, known);
    return known;
  }

  #change<Value>(map: Map<string, Value>, key: string, after: Value | undefined): void {
    this.#log.push({ map, key, before: map.get(key), after });
    put(map, key, after);
  }
}

function put(map: Map<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

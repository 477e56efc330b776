/** Which part of what is missing from a limit each of its clients has used. */
export type ClientUses = Map<string, number>;

/** Most clients of a limit whose use is kept; the one that has used least is evicted. */
const maxClients = 64;

/** Forgets what has been replenished: `part` of what was missing before is missing now. */
export function keepUses(uses: ClientUses, part: number): void {
  if (part === 0) uses.clear();
  else if (part < 1) for (const [client, used] of uses) uses.set(client, used * part);
}

/** Adds to what a client has used; a negative amount gives back. */
export function addUse(uses: ClientUses, client: string, amount: number): void {
  const used = (uses.get(client) ?? 0) + amount;
  if (used <= 0) uses.delete(client);
  else uses.set(client, used);
  if (uses.size <= maxClients) return;
  const [least] = [...uses].reduce((one, other) => (other[1] < one[1] ? other : one));
  uses.delete(least);
}

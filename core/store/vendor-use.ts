import { z } from 'zod';

/** What another paymaster has been asked for under a hold. Amounts in millionths of a USD. */
export type VendorUse = {
  /** What is set aside in the budget of that paymaster. */
  readonly reserved: bigint;
  /** The part of it that an answer was given for; absent before the first answer. */
  readonly answered?: bigint;
  /** Until when an answer is awaited, in Unix seconds; 0 if none is. It also tells questions about one hold apart. */
  readonly askedUntil: number;
};

const UseSchema = z.object({ reserved: z.int(), answered: z.int().optional(), askedUntil: z.int() });

/** As it is stored with a hold. */
export function writeVendorUse({ reserved, answered, askedUntil }: VendorUse): string {
  return JSON.stringify({
    reserved: Number(reserved),
    ...(answered === undefined ? {} : { answered: Number(answered) }),
    askedUntil,
  });
}

/** Reads what {@link writeVendorUse} wrote. */
export function readVendorUse(text: string): VendorUse {
  const { reserved, answered, askedUntil } = UseSchema.parse(JSON.parse(text));
  return {
    reserved: BigInt(reserved),
    ...(answered === undefined ? {} : { answered: BigInt(answered) }),
    askedUntil,
  };
}

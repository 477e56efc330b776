import { bodyOf } from './body-of.ts';

type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers };
type Data<A extends Answer> = Extract<A, { readonly status: 200 }>['body'] extends { data: infer D } ? D : never;

/** The data of a successful answer. */
export async function dataOf<A extends Answer>(call: Promise<A>): Promise<Data<A>> {
  const body = (await bodyOf(call)) as { data: Data<A> };
  return body.data;
}

import { fillBooks, type LargeBooks } from './fill-books.ts';
import { fillPaymasters, type ManyPaymasters } from './fill-paymasters.ts';

/** Fills a database, in a process of its own: what that takes of memory is not the service's. The argument is JSON. */
const { books, many } = JSON.parse(process.argv[2] ?? '') as { books: LargeBooks; many: ManyPaymasters };
fillBooks(books);
fillPaymasters(books.to, many);

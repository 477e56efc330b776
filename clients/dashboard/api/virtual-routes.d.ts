declare module 'virtual:routes' {
  /** Method and path of each operation, in the folders of the contract: written by the build. */
  type Tree = { readonly [name: string]: string | Tree };
  export const routes: Tree;
}

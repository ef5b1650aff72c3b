declare const mark: unique symbol;

/** What the mask has returned. Nothing else makes it, so what requires it cannot get anything that was not masked. */
export type Masked<T> = T & { readonly [mark]: true };

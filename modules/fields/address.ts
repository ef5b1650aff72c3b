import * as Type from 'typebox';

/** How controllers of this family write a server's address. */
export const ADDRESS = Type.Object({
  addr: Type.String({ description: 'an IP address or a host name' }),
  type: Type.Enum(['V4', 'V6', 'DNS'], { description: '`DNS` for a host name' }),
});

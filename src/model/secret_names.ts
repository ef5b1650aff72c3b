const SECRET_NAME =
  /(^|_)(password|passwd|passphrase|secret|token|credential|credentials)$|^key$|(^|_)(private|secret|access|api|encryption)_key$/i;

/** Whether what stands under this name is a secret by custom: `password`, `vcenter_password`, `secret_access_key`, `token`, `key`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

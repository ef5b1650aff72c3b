/** The controllers that local files are saved for: another one must not replace the file. */
export interface SavedFiles {
  /** The controller that the file belongs to: the first one that asks. */
  owner(file: string, controller: string): Promise<string>;
}

export function savedFiles(): SavedFiles {
  const owners = new Map<string, string>();
  return {
    owner: (file, controller) => {
      const owner = owners.get(file) ?? controller;
      owners.set(file, owner);
      return Promise.resolve(owner);
    },
  };
}

/** The controllers whose tasks save local files: another controller must not overwrite a file. */
export interface SavedFiles {
  /** The owner of the file: the first controller that asks. */
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

import * as Type from 'typebox';

const file = (folder: string, instead: string) =>
  Type.Optional(
    Type.String({ minLength: 1, description: `A file in the role's folder \`${folder}\`, instead of \`${instead}\`.` }),
  );

/** The arguments of both `include_role` and `import_role`. */
export const ROLE_ARGUMENTS = {
  name: Type.Optional(Type.String({ minLength: 1, description: 'The role: its name, or its folder.' })),
  role: Type.Optional(Type.String({ minLength: 1, description: 'The same as `name`.' })),
  tasks_from: file('tasks', 'main.yml'),
  vars_from: file('vars', 'main.yml'),
  defaults_from: file('defaults', 'main.yml'),
  handlers_from: file('handlers', 'main.yml'),
  allow_duplicates: Type.Boolean({
    default: true,
    description: 'Whether the role runs again on a controller that has already run it.',
  }),
  rolespec_validate: Type.Boolean({
    default: true,
    description: "Whether variables are checked against the role's argument specification.",
  }),
};

"""What plugins import from ansible, for machines without ansible-core; and what lookups get in both cases."""
import os
import sys
import types
from collections.abc import Hashable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence, Set


class AnsibleError(Exception):
    def __init__(self, message='', obj=None, show_content=True, suppress_extended_error=False, orig_exc=None, **_more):
        super().__init__(to_text(message))
        self.message = to_text(message)
        self.obj = obj
        self.orig_exc = orig_exc


def _errors():
    names = ('Options Parser Internal Runtime Filter Lookup Template Plugin UndefinedVariable FileNotFound Connection '
             'VaultError Module Authentication Action AssertionError PluginNotFound PluginRemovedError '
             'FilterTypeError LookupError CollectionUnsupportedVersionError').split()
    bases = {'Options': 'Error', 'Filter': 'TemplateError', 'FilterTypeError': 'TemplateError'}
    made = {'AnsibleError': AnsibleError}
    for name in ['TemplateError', *names]:
        full = 'Ansible' + (name if name.endswith(('Error', 'Variable', 'Found', 'FileNotFound')) else name + 'Error')
        made[full] = type(full, (made['Ansible' + bases.get(name, 'Error')],), {})
    for alias in ('FileNotFound', 'UndefinedVariable'):
        made['Ansible' + alias] = made.get('Ansible' + alias) or type('Ansible' + alias, (AnsibleError,), {})
    return made


def to_text(obj, encoding='utf-8', errors=None, nonstring='simplerepr'):
    if isinstance(obj, str):
        return str(obj)
    if isinstance(obj, bytes):
        return obj.decode(encoding, 'surrogateescape' if errors in (None, 'surrogate_or_strict', 'surrogate_or_replace',
                                                                    'surrogate_then_replace') else errors)
    return _nonstring(obj, nonstring, '')


def to_bytes(obj, encoding='utf-8', errors=None, nonstring='simplerepr'):
    if isinstance(obj, bytes):
        return obj
    if isinstance(obj, str):
        return obj.encode(encoding, 'surrogateescape' if errors in (None, 'surrogate_or_strict', 'surrogate_or_replace',
                                                                    'surrogate_then_replace') else errors)
    made = _nonstring(obj, nonstring, b'')
    return made.encode(encoding) if isinstance(made, str) else made


def _nonstring(obj, how, empty):
    if how == 'simplerepr':
        return str(obj)
    if how == 'passthru':
        return obj
    if how == 'empty':
        return empty
    raise TypeError('obj must be a string type')


to_native = to_text


def jsonify(data, **options):
    import json
    return json.dumps(data, default=lambda one: list(one) if isinstance(one, Set) else to_text(one), **options)


def container_to_text(d, encoding='utf-8', errors='surrogate_or_strict'):
    if isinstance(d, bytes):
        return to_text(d, encoding, errors)
    if isinstance(d, dict):
        return {container_to_text(key): container_to_text(one) for key, one in d.items()}
    return type(d)(map(container_to_text, d)) if isinstance(d, (list, tuple)) else d


def container_to_bytes(d, encoding='utf-8', errors='surrogate_or_strict'):
    if isinstance(d, str):
        return to_bytes(d, encoding, errors)
    if isinstance(d, dict):
        return {container_to_bytes(key): container_to_bytes(one) for key, one in d.items()}
    return type(d)(map(container_to_bytes, d)) if isinstance(d, (list, tuple)) else d


def is_string(seq):
    return isinstance(seq, (str, bytes))


def is_iterable(seq, include_strings=False):
    return (include_strings or not is_string(seq)) and isinstance(seq, Iterable)


def is_sequence(seq, include_strings=False):
    return (include_strings or not is_string(seq)) and isinstance(seq, Sequence)


def listify_lookup_plugin_terms(terms, templar=None, loader=None, fail_on_undefined=True, convert_bare=False):
    return terms if is_iterable(terms) else [terms]


def boolean(value, strict=True):
    text = to_text(value).lower().strip()
    if value is True or text in ('y', 'yes', 'on', '1', 'true', 't', '1.0'):
        return True
    if value is False or not strict or text in ('n', 'no', 'off', '0', 'false', 'f', '0.0'):
        return False
    raise TypeError("The value '%s' is not a valid boolean." % to_text(value))


def merge_hash(x, y, recursive=True, list_merge='replace'):
    if x == {} or x == y:
        return y.copy()
    if y == {}:
        return x
    merged = x.copy()
    for key, new in y.items():
        old = merged.get(key)
        if recursive and isinstance(old, MutableMapping) and isinstance(new, MutableMapping):
            merged[key] = merge_hash(old, new, recursive, list_merge)
        elif isinstance(old, MutableSequence) and isinstance(new, MutableSequence) and list_merge != 'replace':
            merged[key] = {'keep': lambda: old, 'append': lambda: old + new, 'prepend': lambda: new + old,
                           'append_rp': lambda: [one for one in old if one not in new] + new,
                           'prepend_rp': lambda: new + [one for one in old if one not in new]}[list_merge]()
        else:
            merged[key] = new
    return merged


def combine_vars(a, b, merge=None):
    return merge_hash(a, b) if merge else {**a, **b}


def dict_merge(a, b):
    return merge_hash(a, b) if isinstance(b, dict) else b


def camel_to_snake(name, reversible=False):
    import re
    if reversible:
        return re.sub(r'[A-Z]', lambda m: '_' + m.group().lower(), name).lstrip('_')
    first = re.sub(r'[A-Z]{3,}s$', lambda m: '_' + m.group().lower(), name)
    return re.sub(r'([a-z0-9])([A-Z])', r'\1_\2', re.sub(r'(.)([A-Z][a-z]+)', r'\1_\2', first)).lower()


class AnsibleUnsafe:
    __UNSAFE__ = True


class AnsibleUnsafeText(str, AnsibleUnsafe):
    pass


class AnsibleUnsafeBytes(bytes, AnsibleUnsafe):
    pass


def wrap_var(v):
    """Nothing that a plugin returns is rendered again, so nothing has to be marked."""
    return v


class Display:
    """Messages of plugins are not shown: they may contain secrets."""

    verbosity = 0

    def __init__(self, verbosity=0):
        pass

    def __getattr__(self, _name):
        return lambda *_args, **_named: None


class DataLoader:
    def __init__(self):
        self._basedir = '.'

    def get_basedir(self):
        return self._basedir

    def set_basedir(self, basedir):
        self._basedir = to_text(basedir)

    def path_dwim(self, given):
        return os.path.abspath(os.path.join(self._basedir, os.path.expanduser(to_text(given))))

    def path_exists(self, path):
        return os.path.exists(self.path_dwim(path))

    def is_file(self, path):
        return os.path.isfile(self.path_dwim(path))

    def is_directory(self, path):
        return os.path.isdir(self.path_dwim(path))

    exists = path_exists

    def get_real_file(self, file_path, decrypt=True):
        return self.path_dwim(file_path)

    def _get_file_contents(self, file_name):
        with open(self.path_dwim(file_name), 'rb') as file:
            return file.read(), True

    def load_from_file(self, file_name, cache=True, unsafe=False, **_more):
        return self.load(self._get_file_contents(file_name)[0], file_name)

    def load(self, data, file_name='<string>', show_content=True, **_more):
        import yaml
        return yaml.safe_load(data)


class AnsiblePlugin:
    _load_name = None

    def __init__(self):
        self._options = {}

    def set_options(self, task_keys=None, var_options=None, direct=None):
        options = getattr(self, '_evenkeel_options', {})
        self._options = {}
        for name, option in options.items():
            self._options[name] = _typed(_option(name, option, var_options or {}, direct or {}), option.get('type'))
            if option.get('required') and self._options[name] is None:
                raise AnsibleError('No setting was provided for required configuration %s' % name)

    def get_option(self, option, hostvars=None):
        if option not in self._options:
            self.set_options(var_options=hostvars)
        if option not in self._options:
            raise KeyError('Requested entry (%s) was not defined in configuration.' % option)
        return self._options[option]

    def get_options(self, hostvars=None):
        return {name: self.get_option(name) for name in getattr(self, '_evenkeel_options', {})}

    def set_option(self, option, value):
        self._options[option] = value

    def has_option(self, option):
        return option in self._options

    def option_definitions(self):
        return getattr(self, '_evenkeel_options', {})


def _option(name, option, variables, direct):
    for key in [name, *option.get('aliases', [])]:
        if key in direct:
            return direct[key]
    for entry in option.get('vars', []):
        if entry['name'] in variables:
            return variables[entry['name']]
    for entry in option.get('env', []):
        if entry['name'] in os.environ:
            return os.environ[entry['name']]
    return option.get('default')


def _typed(value, kind):
    if value is None:
        return None
    if kind in ('bool', 'boolean'):
        return boolean(value)
    if kind in ('int', 'integer'):
        return int(value)
    if kind == 'float':
        return float(value)
    if kind == 'list' and isinstance(value, str):
        return [one.strip() for one in value.split(',')]
    if kind in ('path', 'tmp', 'tmppath'):
        return os.path.expanduser(to_text(value))
    return to_text(value) if kind in ('str', 'string') and not isinstance(value, (list, dict)) else value


class LookupBase(AnsiblePlugin):
    def __init__(self, loader=None, templar=None, **_more):
        super().__init__()
        self._loader = loader
        self._templar = templar
        self._display = Display()

    def run(self, terms, variables=None, **kwargs):
        raise NotImplementedError

    def get_basedir(self, variables):
        return variables.get('role_path') or self._loader.get_basedir()

    @staticmethod
    def _flatten(terms):
        return [one for term in terms for one in (term if isinstance(term, (list, tuple)) else [term])]

    @staticmethod
    def _combine(a, b):
        return [LookupBase._flatten([x, y]) for x in a for y in b]

    @staticmethod
    def _flatten_hash_to_list(terms):
        return [{'key': key, 'value': terms[key]} for key in terms]

    def find_file_in_search_path(self, myvars, subdir, needle, ignore_missing=False):
        for folder in [*myvars.get('ansible_search_path', []), self.get_basedir(myvars)]:
            for file in (os.path.join(folder, subdir, needle), os.path.join(folder, needle)):
                if os.path.exists(file):
                    return file
        return None


class Templar:
    """Renders with Evenkeel's templates."""

    def __init__(self, loader=None, variables=None, bridge=None):
        self._bridge = bridge
        self._loader = loader
        self.available_variables = self._available_variables = variables

    def template(self, variable, **_more):
        if isinstance(variable, str):
            if '{' not in variable:
                return variable
            answer = self._bridge.ask({'template': variable})
            if 'value' not in answer:
                raise _errors()['AnsibleUndefinedVariable'](answer.get('error'))
            return answer['value']
        if isinstance(variable, dict):
            return {key: self.template(one) for key, one in variable.items()}
        return [self.template(one) for one in variable] if isinstance(variable, list) else variable

    do_template = template

    def is_template(self, data):
        return isinstance(data, str) and ('{{' in data or '{%' in data)

    def copy_with_new_env(self, *_args, **_named):
        return self


def prepare_lookup(module, call, bridge):
    """The lookup plugin, with the options that its documentation declares."""
    from bridge import Variables
    loader = __import__('ansible.parsing.dataloader', fromlist=['DataLoader']).DataLoader()
    loader.set_basedir(call['folder'])
    plugin = module.LookupModule(loader=loader, templar=Templar(loader, Variables(bridge), bridge))
    name = call['name']
    plugin._load_name = plugin.ansible_name = name
    plugin._original_path = call['files'][0]
    options = _documented(getattr(module, 'DOCUMENTATION', None))
    plugin._evenkeel_options = options
    if 'ansible.constants' in sys.modules and hasattr(sys.modules['ansible.constants'], 'config'):
        sys.modules['ansible.constants'].config.initialize_plugin_configuration_definitions('lookup', name, options)
    return plugin


def _documented(text):
    if not text:
        return {}
    import yaml
    document = yaml.safe_load(text) or {}
    options = {}
    fragments = document.get('extends_documentation_fragment') or []
    for fragment in [fragments] if isinstance(fragments, str) else fragments:
        parts = fragment.split('.')
        if len(parts) < 3:
            continue
        holder = __import__('ansible_collections.%s.%s.plugins.doc_fragments.%s' % tuple(parts[:3]),
                            fromlist=['ModuleDocFragment']).ModuleDocFragment
        options.update(_documented(getattr(holder, parts[3].upper() if len(parts) > 3 else 'DOCUMENTATION')))
    options.update(document.get('options') or {})
    return options


class _Constants:
    DEFAULT_HASH_BEHAVIOUR = 'replace'
    DEFAULT_JINJA2_NATIVE = False
    DEFAULT_VAULT_ID_MATCH = None
    BOOLEANS_TRUE = frozenset(('y', 'yes', 'on', '1', 'true', 't', 1, 1.0, True))


_ABCS = {one.__name__: one for one in (Hashable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence, Set)}
_TEXT = {'to_text': to_text, 'to_bytes': to_bytes, 'to_native': to_native}
_COLLECTIONS = {'is_string': is_string, 'is_iterable': is_iterable, 'is_sequence': is_sequence, **_ABCS}
_SIX = {
    'PY2': False, 'PY3': True, 'string_types': (str,), 'text_type': str, 'binary_type': bytes, 'integer_types': (int,),
    'class_types': (type,), 'iteritems': lambda d: iter(d.items()), 'itervalues': lambda d: iter(d.values()),
    'iterkeys': lambda d: iter(d), 'raise_from': None, 'u': str, 'b': lambda text: text.encode('latin-1'),
    'with_metaclass': lambda meta, *bases: meta('made', bases, {}), 'StringIO': None,
}


def _six():
    import io
    return {**_SIX, 'StringIO': io.StringIO, 'BytesIO': io.BytesIO}


def _moves():
    import configparser
    import functools
    import itertools
    from urllib import error, parse, request
    return {'configparser': configparser, 'reduce': functools.reduce, 'zip_longest': itertools.zip_longest,
            'zip': zip, 'map': map, 'filter': filter, 'range': range, 'input': input,
            'urllib': types.SimpleNamespace(error=error, parse=parse, request=request)}


MODULES = {
    'ansible': lambda: {'__version__': '2.17.0'},
    'ansible.release': lambda: {'__version__': '2.17.0'},
    'ansible.constants': lambda: {k: v for k, v in vars(_Constants).items() if not k.startswith('_')},
    'ansible.errors': _errors,
    'ansible.module_utils': dict,
    'ansible.module_utils._text': lambda: _TEXT,
    'ansible.module_utils.common': dict,
    'ansible.module_utils.common._collections_compat': lambda: _ABCS,
    'ansible.module_utils.common.collections': lambda: _COLLECTIONS,
    'ansible.module_utils.common.dict_transformations': lambda: {'dict_merge': dict_merge,
                                                                 '_camel_to_snake': camel_to_snake},
    'ansible.module_utils.common.text': dict,
    'ansible.module_utils.common.text.converters': lambda: {
        **_TEXT, 'jsonify': jsonify, 'container_to_text': container_to_text, 'container_to_bytes': container_to_bytes},
    'ansible.module_utils.parsing': dict,
    'ansible.module_utils.parsing.convert_bool': lambda: {'boolean': boolean},
    'ansible.module_utils.six': _six,
    'ansible.module_utils.six.moves': _moves,
    'ansible.module_utils.six.moves.urllib': lambda: vars(_moves()['urllib']),
    'ansible.module_utils.six.moves.urllib.parse': lambda: vars(_moves()['urllib'].parse),
    'ansible.parsing': dict,
    'ansible.parsing.dataloader': lambda: {'DataLoader': DataLoader},
    'ansible.plugins': lambda: {'AnsiblePlugin': AnsiblePlugin},
    'ansible.plugins.lookup': lambda: {'LookupBase': LookupBase},
    'ansible.template': lambda: {'Templar': Templar},
    'ansible.utils': dict,
    'ansible.utils.display': lambda: {'Display': Display},
    'ansible.utils.listify': lambda: {'listify_lookup_plugin_terms': listify_lookup_plugin_terms},
    'ansible.utils.unsafe_proxy': lambda: {
        'AnsibleUnsafe': AnsibleUnsafe, 'AnsibleUnsafeText': AnsibleUnsafeText,
        'AnsibleUnsafeBytes': AnsibleUnsafeBytes, 'wrap_var': wrap_var},
    'ansible.utils.vars': lambda: {'merge_hash': merge_hash, 'combine_vars': combine_vars},
}


class Offer:
    """Asked last, so only where no path has the module. With ansible-core, it offers nothing."""

    def __init__(self):
        self.active = False

    def find_spec(self, name, path=None, target=None):
        if name == 'ansible':
            self.active = True
        if not self.active or name not in MODULES:
            return None
        from importlib.machinery import ModuleSpec
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.__dict__.update(MODULES[module.__name__]())


def offer():
    sys.meta_path.append(Offer())

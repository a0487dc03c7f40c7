package archtest

import (
	"go/ast"
	"maps"
	"strings"
)

// A typeName says which type of this module is meant: the short name of its package,
// and its own.
type typeName struct{ pkg, name string }

// offers is what the types of the programs have: their own exported methods, and the
// types of this module that they embed, whose methods are theirs as well.
type offers struct {
	own    map[typeName]map[string]bool
	embeds map[typeName][]typeName
}

// methods counts what every type of the programs offers: its exported methods, and those
// of the types of this module that are embedded in it, since a caller sees them all. What
// a package does for itself is held by the lengths of its functions and files.
func (tr *tree) methods() []measured {
	o := offers{own: map[typeName]map[string]bool{}, embeds: map[typeName][]typeName{}}
	for f := range tr.code {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && len(d.Recv.List) > 0 {
					o.note(typeName{short(f.dir), receiver(d.Recv.List[0].Type)}, d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						o.noteType(f, spec)
					}
				}
			}
		}
	}
	count := map[string]int{}
	seen := map[typeName]bool{}
	for t := range o.own {
		seen[t] = true
	}
	for t := range o.embeds {
		seen[t] = true
	}
	for t := range seen {
		all := map[string]bool{}
		o.collect(t, all, map[typeName]bool{})
		count[t.pkg+"."+t.name] = len(all)
	}
	return figures(count)
}

func (o *offers) note(t typeName, method *ast.Ident) {
	if !method.IsExported() {
		return
	}
	if o.own[t] == nil {
		o.own[t] = map[string]bool{}
	}
	o.own[t][method.Name] = true
}

// noteType takes note of what a type embeds, and of the methods of an interface.
func (o *offers) noteType(f *source, spec *ast.TypeSpec) {
	t := typeName{short(f.dir), spec.Name.Name}
	var fields *ast.FieldList
	switch what := spec.Type.(type) {
	case *ast.StructType:
		fields = what.Fields
	case *ast.InterfaceType:
		fields = what.Methods
	default: // an alias, or a type made of another, which keeps what that one embeds
		if spec.Assign.IsValid() {
			fields = &ast.FieldList{List: []*ast.Field{{Type: what}}}
		}
	}
	if fields == nil {
		return
	}
	for _, field := range fields.List {
		if _, ok := field.Type.(*ast.FuncType); ok && len(field.Names) == 1 {
			if _, ok := spec.Type.(*ast.InterfaceType); ok {
				o.note(t, field.Names[0])
			}
			continue
		}
		if to, ok := f.typeOf(field.Type); ok && len(field.Names) == 0 {
			o.embeds[t] = append(o.embeds[t], to)
		}
	}
}

// typeOf is the type of this module that an expression of f names.
func (f *source) typeOf(e ast.Expr) (t typeName, ok bool) {
	if name := receiver(e); name != "" {
		return typeName{short(f.dir), name}, true
	}
	sel, ok := unwrapped(e).(*ast.SelectorExpr)
	if !ok {
		return t, false
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return t, false
	}
	for spec, path := range f.imports {
		to, ours := strings.CutPrefix(path, modulePath+"/")
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if ours && name == pkg.Name {
			return typeName{short(to), sel.Sel.Name}, true
		}
	}
	return t, false
}

// unwrapped is what a pointer points to, or what a generic type is called.
func unwrapped(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.StarExpr:
		return unwrapped(e.X)
	case *ast.IndexExpr:
		return unwrapped(e.X)
	case *ast.IndexListExpr:
		return unwrapped(e.X)
	}
	return e
}

// collect adds the methods of t, and of what it embeds, to all.
func (o *offers) collect(t typeName, all map[string]bool, on map[typeName]bool) {
	if on[t] {
		return
	}
	on[t] = true
	maps.Copy(all, o.own[t])
	for _, e := range o.embeds[t] {
		o.collect(e, all, on)
	}
}

package graph

import (
	"regexp"
	"testing"
)

// The order is a promise of the tool that lists it.
func TestLabels_Order(t *testing.T) {
	want := []string{"SchemaTable", "SchemaColumn", "Entity", "Cluster", "JoinPath", "MetricTemplate", "ExternalConsumer", "Metric", "Dimension", "BusinessRule", "GraphMeta"}
	wantProperties := []int{37, 29, 6, 9, 11, 13, 13, 6, 6, 6, 5}
	got := Labels(384)
	if len(got) != len(want) {
		t.Fatalf("%d labels, want %d", len(got), len(want))
	}
	for i, l := range got {
		if l.Name != want[i] {
			t.Errorf("label %d is %s, want %s", i, l.Name, want[i])
		}
		if len(l.Properties) != wantProperties[i] {
			t.Errorf("%s has %d properties, want %d", l.Name, len(l.Properties), wantProperties[i])
		}
		if l.Properties[0] != (Property{Key, "STRING"}) {
			t.Errorf("%s begins with %v, want the key", l.Name, l.Properties[0])
		}
	}
	if p := got[0].Properties; p[len(p)-1] != (Property{"embedding", "FLOAT[384]"}) {
		t.Errorf("the last property of a table is %v, want the vector", p[len(p)-1])
	}
	if p := Labels(0)[0].Properties; p[len(p)-1].Name != "dbt_unique_id" {
		t.Errorf("without a dimension the last property of a table is %v", p[len(p)-1])
	}
}

func TestSchema_IsWhole(t *testing.T) {
	types := regexp.MustCompile(`^(STRING|INT64|DOUBLE|BOOL|STRING\[\]|FLOAT\[8\])$`)
	names := map[string]bool{}
	check := func(name, description string, list []Property) {
		if names[name] {
			t.Errorf("%s is there twice", name)
		}
		names[name] = true
		if description == "" || list == nil {
			t.Errorf("%s has no description or nil properties", name)
		}
		seen := map[string]bool{}
		for _, p := range list {
			if seen[p.Name] || !types.MatchString(p.Type) {
				t.Errorf("%s.%s %s: twice, or an unknown type", name, p.Name, p.Type)
			}
			seen[p.Name] = true
		}
	}
	for _, l := range Labels(8) {
		check(l.Name, l.Description, l.Properties)
	}
	for _, e := range EdgeTypes() {
		if !names[e.From] || !names[e.To] {
			t.Errorf("%s joins %s to %s, of which one is no label", e.Name, e.From, e.To)
		}
		check(e.Name, e.Description, e.Properties)
	}
	if n := len(EdgeTypes()); n != 13 {
		t.Errorf("%d edge types, want 13", n)
	}
}

func TestLabels_AreTheCallers(t *testing.T) {
	Labels(0)[0].Properties[0].Name = "changed"
	EdgeTypes()[3].Properties[0].Name = "changed"
	if Labels(0)[0].Properties[0].Name != Key || EdgeTypes()[3].Properties[0].Name != "edge_id" {
		t.Error("a caller's change reached the schema")
	}
}

func TestFind(t *testing.T) {
	if l, e := Find("schematable", 3); l == nil || e != nil || l.Name != SchemaTable {
		t.Errorf("Find(schematable) = %v, %v", l, e)
	}
	if l, e := Find("fk_references", 3); l != nil || e == nil || e.Name != FKReferences {
		t.Errorf("Find(fk_references) = %v, %v", l, e)
	}
	if l, e := Find("nothing", 3); l != nil || e != nil {
		t.Errorf("Find(nothing) = %v, %v", l, e)
	}
}
